import type { AppOptions } from './app.ts';

/** The server where the processes of an app meet: Redis or PostgreSQL. */
export interface AppStore {
  /** Undefined if each process is on its own. Contains a password: never log it. */
  readonly url: string | undefined;
  /** The Redis that calls are counted in. */
  readonly redis: string | undefined;
  /** For hosts, before the first call: instead of the app's own. Throws if it is no address of a store. */
  use(url: string): void;
}

/** `createApp({ store })`, or else the variable EVERYWIRE_STORE; or else the Redis that rate limits are counted in. */
export function createAppStore(options: AppOptions): AppStore {
  const redis = options.redis ?? variable('EVERYWIRE_REDIS');
  let url = options.store ?? variable('EVERYWIRE_STORE') ?? redis;
  return {
    get url() {
      return url;
    },
    get redis() {
      return redis ?? (isRedisUrl(url) ? url : undefined);
    },
    use(given) {
      const mistake = mistakeInStore(given);
      if (mistake !== undefined) throw new TypeError(mistake);
      url = given;
    },
  };
}

/** The address contains a password, so it is not repeated. */
export function problemsInStore({ store }: AppOptions): string[] {
  const given = store ?? variable('EVERYWIRE_STORE');
  const mistake = given === undefined ? undefined : mistakeInStore(given);
  return mistake === undefined ? [] : [`${store === undefined ? 'EVERYWIRE_STORE' : 'store'}: ${mistake}`];
}

export function mistakeInStore(url: unknown): string | undefined {
  return isRedisUrl(url) || isUrl(url, /^postgres(ql)?:\/\//) ? undefined : STORE_URL;
}

const STORE_URL = 'The address of a store looks like redis://localhost:6379 or postgres://localhost/tasks';

export const isRedisUrl = (url: unknown): url is string => isUrl(url, /^rediss?:\/\//);

const isUrl = (url: unknown, scheme: RegExp) => typeof url === 'string' && scheme.test(url) && URL.canParse(url);

/** Other runtimes than Node may have no variables. */
export function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
