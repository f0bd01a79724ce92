import type { App } from '../../app/app.ts';
import { resourceNotFound } from '../../core/not-found.ts';
import { LIST_RESOURCES } from '../../core/operations.ts';
import type { Failed } from '../../core/outcome.ts';
import type { ResourceBody } from '../../core/resource.ts';
import { checkUriLength } from '../../core/uri-template.ts';
import { createCallerReader } from './caller.ts';
import { createCredentialsReader } from './credentials.ts';
import { NOT_A_PAGE, varyOf } from './codec.ts';
import type { Encoder } from './codec.ts';
import type { HttpReply, HttpRequest } from './message.ts';
import type { Handler } from './find-route.ts';
import type { HttpWireOptions } from './wire.ts';

/**
 * `GET /resources` lists the resources, `GET /resources/<URI, percent-encoded>` reads one. Contents keep their own media
 * type, whatever Accept says; only failures are negotiated.
 */
export function createResourceHandlers(
  app: App,
  { environment, name }: Pick<HttpWireOptions, 'environment' | 'name'>,
  { choose, encodeFailure }: Encoder,
): { readonly listResources: Handler; readonly readResource: Handler } {
  const readCaller = createCallerReader(app, name);
  const readCredentials = createCredentialsReader(app);
  return {
    listResources: (request, query) => encode(list(request), request, query),
    readResource: (request, query, { parameter }) => encode(read(parameter, request), request, query),
  };

  async function encode(
    pending: Promise<HttpReply | Failed>,
    { headers }: HttpRequest,
    query: string,
  ): Promise<HttpReply> {
    const reply = await pending;
    if ('ok' in reply) return encodeFailure(reply, choose(query, headers));
    return app.access ? { ...reply, headers: { ...reply.headers, vary: varyOf(app) } } : reply;
  }

  async function list(request: HttpRequest): Promise<HttpReply | Failed> {
    const call = { name: LIST_RESOURCES, input: { definitionsOnly: true }, ...contextOf(request) };
    const { outcome } = await app.operations.respond(call);
    return outcome.ok ? json({ resources: outcome.data }) : outcome;
  }

  async function read(uri: string, request: HttpRequest): Promise<HttpReply | Failed> {
    const refused = checkUriLength(uri);
    if (refused) return refused;
    const found = app.resources.locate(uri);
    if (!found) {
      const identified = await app.access?.identify(contextOf(request));
      return identified && 'ok' in identified ? identified : resourceNotFound(uri);
    }
    const { fn } = found.resource;
    const { outcome } = await app.resources.respond({
      name: uri,
      fn,
      input: found.variables,
      ...contextOf(request),
    });
    return outcome.ok ? contents(outcome.data as ResourceBody) : outcome;
  }

  function contextOf(request: HttpRequest) {
    const { onDisconnect } = request;
    return { caller: readCaller(request), credentials: readCredentials?.(request), environment, onDisconnect };
  }
}

function contents({ mimeType, text, blob = '' }: ResourceBody): HttpReply {
  const type = mimeType.startsWith('text/') ? `${mimeType}; charset=utf-8` : mimeType;
  return { status: 200, headers: { 'content-type': type, ...NOT_A_PAGE }, body: text ?? bytesOf(blob) };
}

function json(body: object): HttpReply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function bytesOf(base64: string): ReadableStream<Uint8Array> {
  return new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))]).stream();
}
