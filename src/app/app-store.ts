import type { AppOptions } from './app.ts';

/** Where the processes of an app meet: Redis or PostgreSQL. */
export interface AppStore {
  /** Undefined if each process is on its own. Contains a password: never log it. */
  readonly url: string | undefined;
  /** The Redis for what PostgreSQL does not share: counted calls, MCP sessions, notifications. */
  readonly redis: string | undefined;
  /** For hosts, before the first call: instead of the app's own. Throws if it is no address of a store. */
  use(url: string): void;
}

/** `store` of `createApp`, or else EVERYWIRE_STORE. `redis` and EVERYWIRE_REDIS are used if that is not set, or is PostgreSQL. */
export function createAppStore(options: AppOptions): AppStore {
  const redis = options.redis ?? variable('EVERYWIRE_REDIS');
  let url = options.store ?? variable('EVERYWIRE_STORE') ?? redis;
  return {
    get url() {
      return url;
    },
    get redis() {
      return isRedisUrl(url) ? url : redis;
    },
    use(given) {
      const mistake = mistakeInStore(given);
      if (mistake !== undefined) throw new TypeError(mistake);
      url = given;
    },
  };
}

/** The address contains a password, so it is not repeated. */
export function problemsInStore({ store, redis }: AppOptions): string[] {
  return [
    ...problemsIn('store', store, mistakeInStore),
    ...problemsIn('redis', redis, (url) => (isRedisUrl(url) ? undefined : REDIS_URL)),
  ];
}

function problemsIn(option: string, given: unknown, mistakeIn: (url: unknown) => string | undefined): string[] {
  const name = `EVERYWIRE_${option.toUpperCase()}`;
  const url = given ?? variable(name);
  const mistake = url === undefined ? undefined : mistakeIn(url);
  return mistake === undefined ? [] : [`${given === undefined ? name : option}: ${mistake}`];
}

export function mistakeInStore(url: unknown): string | undefined {
  return isRedisUrl(url) || isUrl(url, /^postgres(ql)?:\/\//) ? undefined : STORE_URL;
}

const REDIS_URL = 'The address of Redis looks like redis://localhost:6379';
const STORE_URL = 'The address of a store looks like redis://localhost:6379 or postgres://localhost/tasks';

const isRedisUrl = (url: unknown): url is string => isUrl(url, /^rediss?:\/\//);

const isUrl = (url: unknown, scheme: RegExp) => typeof url === 'string' && scheme.test(url) && URL.canParse(url);

/** Other runtimes than Node may have no variables. */
export function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
