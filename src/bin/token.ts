import { Credentials } from '../core/credentials.ts';
import type { Process } from './process.ts';

const VARIABLE = 'EVERYWIRE_TOKEN';

/**
 * Takes the token out of the environment: neither the app nor the processes that it starts need to know it. Call this before the
 * app is loaded; later calls return it again. An empty variable counts as unset.
 */
export function takeToken({ env, state }: Process): string | undefined {
  const token = env[VARIABLE];
  delete env[VARIABLE];
  if (token) state.token = token;
  return state.token;
}

/** What a command presents. Like a Bearer token, it may be a key. */
export function toCredentials(token: string | undefined): Credentials | undefined {
  if (token === undefined) return undefined;
  return new Credentials(TOKEN.test(token) ? { bearer: token } : { malformed: true });
}

const TOKEN = /^[!-~]{1,8192}$/;
