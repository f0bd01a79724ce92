import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../app/app.ts';
import { checkEmbedOptions } from '../app/check-embed-options.ts';
import { checkApp } from '../app/is-app.ts';
import { askOuterOf } from '../app/embed-options.ts';
import type { EmbedOptions } from '../app/embed-options.ts';
import type { HttpReply } from '../wires/http/message.ts';
import { noSuchPath } from '../wires/http/refusals.ts';
import { parseBase, splitTarget } from '../wires/http/target.ts';
import { tooLarge } from '../wires/json-body.ts';
import { bodyReadBefore } from './body-read-before.ts';
import { createEmbeddedWire } from './embedded-wire.ts';
import { createSend, discard, isUpload, receiveRequest, respondTo } from './node-exchange.ts';
import type { Place, Responder, Send } from './node-exchange.ts';
import { placeOf } from './node-place.ts';
import { isOverfull } from './when-over.ts';

export interface NodeHandler {
  /** With `next`, paths that the app does not have are passed on. Without it, they are 404. */
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void;
  /** Ends the sessions and streams of MCP clients, which would keep a server from closing. */
  close(): Promise<void>;
}

/** An app as a request handler of node:http, Express and other servers. */
export function toNodeHandler(app: App, options: EmbedOptions<IncomingMessage> = {}): NodeHandler {
  checkApp(app, 'toNodeHandler');
  checkEmbedOptions(options, 'toNodeHandler', app);
  const base = options.base === undefined ? undefined : parseBase(options.base);
  const wire = createEmbeddedWire(app, options);
  const write = createSend(app, wire);
  const { body: limit } = app.limits;
  const send: Send = (reply, request, response) => {
    // The server around us may have responded meanwhile, for example after a timeout of its own.
    if (!response.headersSent) write(withVary(reply, response), request, response);
    else void discard(reply.body, (thrown) => void app.reportError(thrown, { part: 'http' }));
  };
  const responder: Responder = { wire, send, limit, askOuter: askOuterOf(options) };

  return Object.assign(handle, {
    async close() {
      await wire.endListening();
      await wire.close();
    },
  });

  function handle(request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void {
    const place = placeOf(request, base);
    if (place && (!next || wire.serves(place.target))) return receive(request, response, place);
    if (next) return next();
    send(wire.refuse(noSuchPath(splitTarget(request.url ?? '/').path), request.headers), request, response);
  }

  function receive(request: IncomingMessage, response: ServerResponse, place: Place): void {
    if (isOverfull(request, response)) return;
    try {
      const read = bodyReadBefore(request);
      if (!read) {
        receiveRequest(request, response, responder, place);
        // Somebody may have paused it. An upload is read when the wire is ready for it.
        if (!isUpload(request, wire, place)) request.resume();
        return;
      }
      if ('ok' in read) return send(wire.refuse(read, request.headers), request, response);
      const { body, headers, isParsed } = read;
      if (body.byteLength > limit) send(wire.refuse(tooLarge(limit), headers), request, response);
      else respondTo(request, response, body, responder, { ...place, headers, isParsed });
    } catch (thrown) {
      send(wire.fail(thrown, place), request, response);
    }
  }
}

/** The server around us may already depend on other headers, such as Origin. */
function withVary(reply: HttpReply, response: ServerResponse): HttpReply {
  const [outer, own] = [response.getHeader('vary'), reply.headers['vary']];
  if (outer === undefined || own === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, vary: `${String(outer)}, ${own}` } };
}
