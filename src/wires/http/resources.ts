import type { App } from '../../app/app.ts';
import { refuse } from '../../core/failure.ts';
import { LIST_RESOURCES } from '../../core/operations.ts';
import type { Failed } from '../../core/outcome.ts';
import type { ResourceBody } from '../../core/resource.ts';
import { refuseAddress } from '../../core/uri-template.ts';
import { callerOf } from './caller.ts';
import type { HttpReply, HttpRequest, HttpWireOptions } from './wire.ts';

const RESOURCES = '/resources';

/** `GET /resources` lists them, `GET /resources/<address, percent-encoded>` reads one as what it is. */
export async function readResource(
  app: App,
  path: string,
  request: HttpRequest,
  { environment, name }: Pick<HttpWireOptions, 'environment' | 'name'>,
): Promise<HttpReply | Failed> {
  const around = { caller: callerOf(request.headers, name), environment, onLeave: request.onLeave };
  if (path === RESOURCES) {
    const listed = await app.operations.respond({ name: LIST_RESOURCES, input: { definitionsOnly: true }, ...around });
    return listed.outcome.ok ? json({ resources: listed.outcome.data }) : listed.outcome;
  }
  const uri = addressIn(path);
  const refused = refuseAddress(uri);
  if (refused) return refused;
  const found = app.resources.locate(uri);
  if (!found) return refuse('RESOURCE_NOT_FOUND', `Resource not found: ${uri}`);
  const { outcome } = await app.resources.respond({
    name: found.resource.fn.name,
    input: found.variables,
    ...around,
  });
  if (!outcome.ok) return outcome;
  const { mimeType, text, blob = '' } = outcome.data as ResourceBody;
  const headers = { 'content-type': mimeType.startsWith('text/') ? `${mimeType}; charset=utf-8` : mimeType };
  return { status: 200, headers, body: text ?? bytesOf(blob) };
}

function json(body: object): HttpReply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function addressIn(path: string): string {
  const encoded = path.slice(RESOURCES.length + 1);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

function bytesOf(blob: string): ReadableStream<Uint8Array> {
  return new Blob([Uint8Array.from(atob(blob), (letter) => letter.charCodeAt(0))]).stream();
}
