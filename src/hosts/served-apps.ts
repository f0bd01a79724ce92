import type { IncomingMessage } from 'node:http';
import type { HttpReply, HttpRequest } from '../wires/http/message.ts';
import { noSuchPath } from '../wires/http/refusals.ts';
import { splitTarget, targetBelow } from '../wires/http/target.ts';
import type { HttpWire } from '../wires/http/wire.ts';
import { SERVER_PATHS } from './mounts.ts';
import type { Mount } from './mounts.ts';
import { createSend } from './node-exchange.ts';
import type { BeforeSend, Place, Responder } from './node-exchange.ts';

interface Found {
  readonly responder: Responder;
  readonly place?: Place;
}

/** The apps of a server. */
export interface ServedApps {
  find(request: IncomingMessage): Found;
  /** For what never became a request. */
  readonly wire: HttpWire;
  endListening(): Promise<unknown>;
  close(): Promise<unknown>;
}

interface Hooks {
  readonly createWire: (mount: Mount) => HttpWire;
  readonly beforeSend: BeforeSend;
}

export function serveApps(mounts: readonly Mount[], { createWire, beforeSend }: Hooks): ServedApps {
  const served = mounts.map((mount) => ({ base: mount.base, responder: responderOf(mount) }));
  const { base, responder } = served.at(-1)!;
  const { wire } = responder;
  const atRoot: Found = { responder };
  const elsewhere: Found = { responder: { ...responder, wire: { ...wire, handle: notFound } } };
  return {
    find: served.length === 1 && base === '' ? () => atRoot : find,
    wire,
    endListening: () => Promise.all(served.map((one) => one.responder.wire.endListening())),
    close: () => Promise.all(served.map((one) => one.responder.wire.close())),
  };

  function responderOf(mount: Mount): Responder {
    const ownWire = createWire(mount);
    return { wire: ownWire, send: createSend(mount.app, ownWire, beforeSend), limit: mount.app.limits.body };
  }

  /** The longest path comes first. */
  function find({ url = '/', headers }: IncomingMessage): Found {
    for (const one of served) {
      const target = targetBelow(url, one.base);
      if (target !== undefined) return { responder: one.responder, place: { target, base: undefined, headers } };
    }
    return SERVER_PATHS.includes(splitTarget(url).path) ? atRoot : elsewhere;
  }

  function notFound({ target, headers }: HttpRequest): HttpReply {
    return wire.refuse(noSuchPath(splitTarget(target).path), headers);
  }
}
