import { Credentials } from '../core/credentials.ts';

const VARIABLE = 'EVERYWIRE_TOKEN';

let taken: string | undefined;

/**
 * Takes the token out of the environment: neither the app nor the processes that it starts need to know it. Call this before the
 * app is loaded. An empty variable counts as unset.
 */
export function takeToken(): string | undefined {
  const token = process.env[VARIABLE];
  delete process.env[VARIABLE];
  return (taken = token || taken);
}

/** What a command presents. Like a Bearer token, it may be a key. */
export function toCredentials(token: string | undefined): Credentials | undefined {
  if (token === undefined) return undefined;
  return new Credentials(TOKEN.test(token) ? { bearer: token } : { malformed: true });
}

const TOKEN = /^[!-~]{1,8192}$/;
