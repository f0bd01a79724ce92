import type { App } from '../../../app/app.ts';
import { visibleTo } from '../../../app/visible-to.ts';
import { lazily } from '../../../core/lazily.ts';
import type { Failed } from '../../../core/outcome.ts';
import type { Encoder } from '../codec.ts';
import { etagOf, isKnown } from '../etag.ts';
import type { Handler } from '../find-route.ts';
import type { HttpReply, HttpRequest } from '../message.ts';
import { createCallerReader } from '../caller.ts';
import { createCredentialsReader } from '../credentials.ts';
import { RecentlyUsed } from '../../recently-used.ts';
import type { OpenApiProfiles, OpenApiVersion } from './document.ts';
import { badQuery } from '../refusals.ts';

const VERSIONS: readonly [OpenApiVersion, OpenApiVersion] = ['3.1', '3.0'];
const PROFILES: readonly [OpenApiProfiles, OpenApiProfiles] = ['own', 'all'];

/** Documents in memory: two versions in two variants; with hidden functions, for a few sets of scopes. */
const MOST = 32;

/** `GET /openapi.json`: each variant is created on first use, with an ETag. The reply is the same object each time. */
export function createOpenApiReply(app: App, ownBase: string | undefined, { choose, encodeFailure }: Encoder): Handler {
  const documents = new RecentlyUsed<() => Promise<Document>>(MOST);
  const replies = new RecentlyUsed<() => Promise<HttpReply>>(MOST);
  const readCaller = createCallerReader(app);
  const readCredentials = createCredentialsReader(app);

  return async (request, query) => {
    const variant = readVariant(query);
    if ('ok' in variant) return encodeFailure(variant, choose(query, request.headers));
    const shown = await appFor(request);
    if ('ok' in shown) return encodeFailure(shown, choose(query, request.headers));
    const names = shown === app ? '' : shown.functions.map(({ operationId }) => operationId).join(' ');
    const key = `${variant.version} ${variant.profiles} ${names}`;
    const base = (request.base ?? ownBase) || '/';
    // Lazily: a failure, such as too many open files, is not kept.
    const document = documents.get(key, () => lazily(() => create(variant, shown)));
    const reply = await replies.get(`${base} ${key}`, () => lazily(async () => below(base, await document())))();
    const { 'content-type': _, ...headers } = reply.headers;
    return isKnown(headers['etag']!, request) ? { status: 304, headers, body: '' } : reply;
  };

  /** With the functions that the caller may see. */
  async function appFor(request: HttpRequest): Promise<App | Failed> {
    if (!app.access?.hides) return app;
    const found = await app.access.identify({
      caller: readCaller(request),
      credentials: readCredentials?.(request),
    });
    return 'ok' in found ? found : visibleTo(app, found);
  }

  /** The path of a mount may come from the client: only that part of the document is replaced. */
  async function below(base: string, document: Document): Promise<HttpReply> {
    const body = document.text.replace(SERVERS, () => SERVERS.replace('"/"', () => JSON.stringify(base)));
    const etag = base === '/' ? document.etag : await etagOf(`${document.etag} ${base}`);
    const caching = app.access?.hides
      ? { 'cache-control': 'private, no-cache', vary: 'Authorization, X-API-Key' }
      : { 'cache-control': 'no-cache' };
    return { status: 200, headers: { 'content-type': 'application/json', ...caching, etag }, body };
  }
}

/** The first in the text: what precedes it are strings, in which quotes are escaped. */
const SERVERS = '"servers":[{"url":"/"}]';

/** An OpenAPI document of an app at the root of a server. */
interface Document {
  readonly text: string;
  readonly etag: string;
}

async function create({ version, profiles }: Variant, shown: App): Promise<Document> {
  const { openApiText } = await import('./document.ts');
  const text = openApiText(shown, version, '/', profiles);
  return { text, etag: await etagOf(text) };
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
