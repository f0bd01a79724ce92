import type { IncomingMessage } from 'node:http';
import type { HttpReply, HttpRequest } from '../wires/http/message.ts';
import { noSuchPath } from '../wires/http/refusals.ts';
import { METADATA_PATH } from '../wires/http/resource-metadata.ts';
import { splitTarget, targetBelow } from '../wires/http/target.ts';
import type { HttpWire } from '../wires/http/wire.ts';
import { createCompress } from './compression.ts';
import type { Compress, CompressionOptions } from './compression.ts';
import { SERVER_PATHS } from './mounts.ts';
import type { Mount } from './mounts.ts';
import { createSend } from './node-exchange.ts';
import type { BeforeSend, Place, Responder } from './node-exchange.ts';

/** An app, and what responds for it. */
export interface ServedApp extends Responder {
  readonly compress: Compress;
  readonly onStreamError: (thrown: unknown) => void;
}

interface Found {
  readonly responder: ServedApp;
  readonly place?: Place;
}

/** The apps of a server. */
export interface ServedApps {
  find(request: Pick<IncomingMessage, 'url' | 'headers'>): Found;
  /** For what never became a request. */
  readonly wire: HttpWire;
  endListening(): Promise<unknown>;
  close(): Promise<unknown>;
}

interface Hooks {
  readonly compression: CompressionOptions | false | undefined;
  readonly proxies: Responder['proxies'];
  readonly createWire: (mount: Mount) => HttpWire;
  readonly beforeSend: BeforeSend;
}

export function serveApps(mounts: readonly Mount[], hooks: Hooks): ServedApps {
  const { compression, proxies, createWire, beforeSend } = hooks;
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

  function responderOf(mount: Mount): ServedApp {
    const ownWire = createWire(mount);
    const onStreamError = (thrown: unknown) => void mount.app.reportError(thrown, { part: 'http' });
    const compress = createCompress(compression, onStreamError);
    const write = createSend(mount.app, ownWire, beforeSend);
    return {
      wire: ownWire,
      limit: mount.app.limits.body,
      proxies,
      compress,
      onStreamError,
      send(reply, request, response) {
        const encoded = compress(reply, request);
        if (encoded instanceof Promise)
          void encoded.then((late) => write(late, request, response)).catch(onStreamError);
        else write(encoded, request, response);
      },
    };
  }

  /** The longest path comes first. */
  function find({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): Found {
    for (const one of served) {
      const target = targetBelow(url, one.base) ?? metadataTarget(url, one.base);
      if (target === undefined) continue;
      return { responder: one.responder, place: { target, base: undefined, folder: folderOf(url, one.base), headers } };
    }
    return SERVER_PATHS.includes(splitTarget(url).path) ? atRoot : elsewhere;
  }

  function notFound({ target, headers }: HttpRequest): HttpReply {
    return wire.refuse(noSuchPath(splitTarget(target).path), headers);
  }
}

/** `v1/` for `/v1`, and nothing for what is below it. */
function folderOf(url: string, base: string): string | undefined {
  return base !== '' && splitTarget(url).path === base ? `${base.slice(base.lastIndexOf('/') + 1)}/` : undefined;
}

/** RFC 9728 puts the well-known part before the path of an app. */
function metadataTarget(url: string, path: string): string | undefined {
  const target = path === '' ? undefined : targetBelow(url, METADATA_PATH + path);
  return target === undefined ? undefined : METADATA_PATH + (target === '/' ? '' : target);
}
