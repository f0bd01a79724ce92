import type { App } from '../../app/app.ts';
import type { Encoder } from './codec.ts';
import type { Handler } from './find-route.ts';
import type { HttpReply } from './message.ts';
import { noSuchPath } from './refusals.ts';
import { splitTarget } from './target.ts';

type AccessOptions = NonNullable<App['access']>['options'];

export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The resources that an app is: its functions, and its MCP server. */
const RESOURCES = ['', '/mcp'] as const;

/** Where the metadata of a resource is; undefined without authorization servers. */
export function metadataUrl({ url, servers = [] }: AccessOptions, resource: string): string | undefined {
  return url === undefined || servers.length === 0 ? undefined : `${withoutSlash(url)}${METADATA_PATH}${resource}`;
}

/** `GET /.well-known/oauth-protected-resource` and `…/mcp`: who issues tokens for this app (RFC 9728). For everybody. */
export function createMetadataReply(app: App, { choose, encodeFailure }: Encoder): Handler {
  const replies = repliesOf(app);
  return ({ target, headers }, query, { parameter }) =>
    replies.get(parameter === '' ? '' : `/${parameter}`) ??
    encodeFailure(noSuchPath(splitTarget(target).path), choose(query, headers));
}

function repliesOf(app: App): ReadonlyMap<string, HttpReply> {
  const replies = new Map<string, HttpReply>();
  const { url, servers = [], hide = false } = app.access?.options ?? {};
  if (url === undefined || servers.length === 0) return replies;
  const base = withoutSlash(url);
  // RFC 9728 puts the well-known part before the path of the resource; a proxy may pass such requests on.
  const path = withoutSlash(new URL(url).pathname);
  for (const resource of RESOURCES) {
    const body = JSON.stringify({
      resource: base + resource,
      authorization_servers: servers,
      // The names would show what is hidden.
      ...(!hide && { scopes_supported: scopesOf(app) }),
      bearer_methods_supported: ['header'],
      resource_name: app.name,
    });
    const reply = { status: 200, headers: HEADERS, body };
    replies.set(resource, reply).set(path + resource, reply);
  }
  return replies;
}

/** All that can be known without arguments. `offline_access` is between the client and the authorization server. */
function scopesOf({ access, functions, resources, prompts }: App): readonly string[] {
  const declared = [...functions, ...resources.functions, ...prompts.functions].map(
    ({ definition }) => definition.scopes,
  );
  const lists = [access?.options.scopes, ...declared].filter((scopes) => Array.isArray(scopes));
  return [...new Set(lists.flat() as string[])].filter((scope) => scope !== 'offline_access').toSorted();
}

export const withoutSlash = (url: string) => (url.endsWith('/') ? url.slice(0, -1) : url);

const HEADERS = Object.freeze({
  'content-type': 'application/json',
  'cache-control': 'public, max-age=300',
  'access-control-allow-origin': '*',
});
