import { unknownOptions } from '../core/unknown-options.ts';
import type { Known } from '../core/unknown-options.ts';
import type { Authenticator } from './authenticator.ts';
import { openKeyFile } from './key-file.ts';
import type { KeyFile } from './key-file.ts';
import { KeyRing } from './key-ring.ts';
import type { ApiKeys } from './key-ring.ts';

/** Either the keys or a file that contains them. */
export type ApiKeyOptions =
  | { readonly keys: ApiKeys; readonly file?: undefined }
  /** JSON: what `keys` would be. It is read again when it changes. */
  | { readonly file: string | URL; readonly keys?: undefined };

const OPTIONS = { keys: true, file: true } satisfies Known<ApiKeyOptions>;

/** Keys in `X-API-Key` or `Authorization: Bearer`. Only their SHA-256 is stored. */
export function apiKeys(options: ApiKeyOptions): Authenticator {
  const keys = openKeys(options);
  return {
    name: 'key',
    scheme: 'either',
    authenticate(credentials, reportError) {
      const { apiKey } = credentials;
      if (apiKey === undefined && credentials.bearer === undefined) return undefined;
      const found = keys(reportError).find(credentials);
      // A bearer token may be for another authenticator; X-API-Key is for this one.
      const unknown = apiKey === undefined ? undefined : UNKNOWN;
      return found instanceof Promise ? found.then((late) => late ?? unknown) : (found ?? unknown);
    },
  };
}

const UNKNOWN = { rejected: 'the API key is unknown' };

function openKeys(options: ApiKeyOptions): KeyFile {
  const [problem] = unknownOptions(options, OPTIONS);
  if (problem) throw new TypeError(`apiKeys: ${problem}`);
  const { keys, file } = options;
  if ((keys === undefined) === (file === undefined))
    throw new TypeError('apiKeys: give either keys or a file, such as apiKeys({ file: "keys.json" })');
  try {
    if (file !== undefined) return openKeyFile(file);
    const ring = new KeyRing(keys);
    return () => ring;
  } catch (error) {
    throw new TypeError(`apiKeys: ${(error as Error).message}`, { cause: error });
  }
}
