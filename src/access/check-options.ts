import { isScopeList, toPrincipal } from '../core/principal.ts';
import { unknownOptions } from '../core/unknown-options.ts';
import type { Known } from '../core/unknown-options.ts';
import type { AccessOptions } from './access-options.ts';
import type { Authenticator } from './authenticator.ts';

const ACCESS_OPTIONS = {
  authenticators: true,
  url: true,
  servers: true,
  scopes: true,
  implies: true,
  local: true,
  hide: true,
  policy: true,
  headers: true,
  user: true,
} satisfies Known<AccessOptions>;

/** A mistake here could let anybody in, so nothing is guessed. */
export function problemsInAccess(options: AccessOptions): string[] {
  if (typeof options !== 'object' || options === null) return ['access must be an object'];
  const { authenticators = [], url, servers = [], scopes = [], implies = {}, local, policy, headers = [] } = options;
  const problems = unknownOptions(options, ACCESS_OPTIONS, 'access');
  const areKnown =
    Array.isArray(authenticators) && authenticators.every((one) => typeof one?.authenticate === 'function');
  if (!areKnown) problems.push('access.authenticators must be a list of authenticators, such as apiKeys({ … })');
  else problems.push(...sharedNames(authenticators));
  if (url !== undefined && !isPublicUrl(url))
    problems.push('access.url must be a URL such as https://api.example.com, without a query');
  if (!Array.isArray(servers) || !servers.every(isPublicUrl)) problems.push('access.servers must be a list of URLs');
  else if (servers.length > 0 && url === undefined)
    problems.push('access.servers needs access.url, the public address under which callers know this app');
  if (scopes !== 'public' && !isScopeList(scopes))
    problems.push('access.scopes must be a list of strings without spaces, or "public"');
  if (typeof implies !== 'object' || implies === null || !Object.values(implies).every(isScopeList))
    problems.push('access.implies must list, for a scope, the scopes that it includes');
  if (policy !== undefined && typeof policy !== 'function') problems.push('access.policy must be a function');
  if (!Array.isArray(headers) || !headers.every((name) => /^[\w-]+$/.test(String(name))))
    problems.push('access.headers must be a list of header names');
  const secret = Array.isArray(headers) && headers.find((name) => SECRET_HEADERS.has(String(name).toLowerCase()));
  if (secret) problems.push(`access.headers: ${String(secret)} is a credential, which functions never see`);
  if (options.user !== undefined && typeof options.user !== 'function') problems.push('access.user must be a function');
  try {
    if (local !== undefined) toPrincipal(local, 'local');
  } catch (error) {
    problems.push(`access.local: ${(error as Error).message}`);
  }
  return problems;
}

/** Two issuers may both have an "ada". The name is the kind of their principals, which keeps them apart. */
function sharedNames(authenticators: readonly Authenticator[]): string[] {
  const names = authenticators.map(({ name }) => name).filter((name) => name !== 'key');
  const shared = new Set(names.filter((name, i) => names.indexOf(name) !== i));
  return [...shared].map(
    (name) => `access.authenticators: two authenticators are named ${JSON.stringify(name)}; give one another name`,
  );
}

const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key']);

function isPublicUrl(text: unknown): boolean {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, search, hash, username } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && search === '' && hash === '' && username === '';
}
