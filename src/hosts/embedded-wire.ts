import type { App } from '../app/app.ts';
import type { EmbedOptions } from '../app/embed-options.ts';
import { createEnvironment } from '../env/environment.ts';
import { createHttpWire } from '../wires/http/wire.ts';
import type { HttpWire } from '../wires/http/wire.ts';

/** An app as a part of another server, which decides which origins may call, unless the app says so itself. */
export function createEmbeddedWire(app: App, { environment, hosts, cors, stateless }: EmbedOptions): HttpWire {
  return createHttpWire(app, {
    environment: environment && createEnvironment(environment),
    hosts,
    stateless,
    cors: cors ?? (app.cors ? undefined : 'outer'),
  });
}
