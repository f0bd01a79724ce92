import type { App } from '../../../app/app.ts';
import type { Failed } from '../../../core/outcome.ts';
import type { Encoder } from '../codec.ts';
import { etagOf, isKnown } from '../etag.ts';
import type { Handler } from '../find-route.ts';
import type { HttpReply } from '../message.ts';
import type { OpenApiProfiles, OpenApiVersion } from './document.ts';
import { badQuery } from '../refusals.ts';

const VERSIONS: readonly [OpenApiVersion, OpenApiVersion] = ['3.1', '3.0'];
const PROFILES: readonly [OpenApiProfiles, OpenApiProfiles] = ['own', 'all'];

/** `GET /openapi.json`: each variant is created on first use, with an ETag. The reply is the same object each time. */
export function createOpenApiReply(app: App, base: string | undefined, { choose, encodeFailure }: Encoder): Handler {
  const replies = new Map<string, Promise<HttpReply>>();

  return async (request, query) => {
    const variant = readVariant(query);
    if ('ok' in variant) return encodeFailure(variant, choose(query, request.headers));
    const key = `${variant.version} ${variant.profiles}`;
    let created = replies.get(key);
    if (!created) replies.set(key, (created = create(variant)));
    const reply = await created;
    const { etag = '' } = reply.headers;
    return isKnown(etag, request) ? { status: 304, headers: { etag }, body: '' } : reply;
  };

  async function create({ version, profiles }: Variant): Promise<HttpReply> {
    const { openApiText } = await import('./document.ts');
    const body = openApiText(app, version, base, profiles);
    const etag = await etagOf(body);
    return { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'no-cache', etag }, body };
  }
}

interface Variant {
  readonly version: OpenApiVersion;
  readonly profiles: OpenApiProfiles;
}

function readVariant(query: string): Variant | Failed {
  const given = new URLSearchParams(query);
  const version = choice(given.getAll('version'), VERSIONS);
  if (version === undefined) return badQuery('version', VERSIONS, given.getAll('version'));
  const profiles = choice(given.getAll('profiles'), PROFILES);
  return profiles === undefined ? badQuery('profiles', PROFILES, given.getAll('profiles')) : { version, profiles };
}

/** The first by default; undefined if what was given is not one of them. */
function choice<T extends string>(given: readonly string[], allowed: readonly [T, ...T[]]): T | undefined {
  if (given.length === 0) return allowed[0];
  return given.length === 1 ? allowed.find((one) => one === given[0]) : undefined;
}
