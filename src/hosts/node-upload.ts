import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Upload } from '../wires/http/message.ts';
import type { HttpWire } from '../wires/http/wire.ts';
import { MAX_DROPPED } from '../wires/json-body.ts';
import { DiskSpool } from './disk-spool.ts';
import { NodeRequest, abandon } from './node-exchange.ts';
import type { Place, Responder } from './node-exchange.ts';
import { whenOver } from './when-over.ts';

/** Responds to a request whose body may contain files: the wire reads it while it arrives. */
export async function receiveUpload(
  request: IncomingMessage,
  response: ServerResponse,
  responder: Responder,
  place?: Place,
): Promise<void> {
  const { wire, send, limit } = responder;
  const upload = createUpload(request, (dispose) => whenOver(request, response, dispose), wire);
  const reply = await wire.handle(new UploadRequest(request, response, upload, responder, place));
  const isDropped = await dropRest(request, limit * MAX_DROPPED);
  if (isDropped) send(reply, request, response);
  else abandon(request, response, reply, send);
}

/** A body that is read when the wire asks for it. What is stored of it is removed when the response is over. */
export function createUpload(body: Readable, onOver: (dispose: () => void) => void, wire: HttpWire): Upload {
  const spool = new DiskSpool();
  // Not before: the response may be one of the files.
  onOver(() => void spool.dispose().catch((thrown: unknown) => wire.fail(thrown)));
  return { chunks: chunksOf(body), spool };
}

class UploadRequest extends NodeRequest {
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    readonly upload: Upload,
    responder: Responder,
    place: Place | undefined,
  ) {
    super(request, response, NO_BODY, responder, place);
  }
}

const NO_BODY = new Uint8Array();

/** Ending the iteration keeps the connection: the client is still owed a response. */
const chunksOf = (body: Readable): AsyncIterable<Buffer> => ({
  [Symbol.asyncIterator]: () => body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>,
});

/** Reads what the wire has refused, so that the client gets a response and not a broken connection; up to a point. */
async function dropRest(request: IncomingMessage, most: number): Promise<boolean> {
  if (request.readableEnded || request.destroyed) return true;
  let dropped = 0;
  try {
    for await (const chunk of chunksOf(request)) {
      dropped += chunk.length;
      if (dropped > most) return false;
    }
  } catch {
    // The client has disconnected.
  }
  return true;
}
