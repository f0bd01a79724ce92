import type { App } from '../app/app.ts';
import { visibleTo } from '../app/visible-to.ts';
import type { Scoped } from '../core/access.ts';
import { defineFunction } from '../core/function.ts';
import type { Failed } from '../core/outcome.ts';
import { createCallerReader } from '../wires/http/caller.ts';
import { createCredentialsReader } from '../wires/http/credentials.ts';
import type { HttpRequest } from '../wires/http/message.ts';

/** What watching a server and comparing wires need, in apps with access rules. */
const CONSOLE: Scoped = {
  kind: 'list',
  definition: defineFunction({
    name: 'console',
    description: 'Watches the server',
    scopes: ['everywire:console'],
    run: () => {},
  }),
};

export interface Admission {
  /** The app as the sender may see it. */
  readonly identify: (request: HttpRequest) => Promise<App | Failed>;
  /** Why the sender may not watch the server; undefined if it may. */
  readonly admit: (request: HttpRequest) => Promise<Failed | undefined>;
}

/** Asks the access rules of the app; without any, everybody who can connect may use the console. */
export function createAdmission(app: App): Admission {
  const readCaller = createCallerReader(app);
  const readCredentials = createCredentialsReader(app);
  const senderOf = (request: HttpRequest) => ({
    caller: readCaller(request),
    credentials: readCredentials?.(request),
  });
  return {
    async identify(request) {
      const found = await app.access?.identify(senderOf(request));
      if (!found) return app;
      return 'ok' in found ? found : visibleTo(app, found);
    },
    async admit(request) {
      const call = { name: 'console', fn: undefined, input: undefined, ...senderOf(request) };
      const found = await app.access?.admit(call, CONSOLE);
      return found && 'ok' in found ? found : undefined;
    },
  };
}
