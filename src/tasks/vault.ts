import { fromBase64, toBase64 } from '../schema/base64.ts';

/** Turns payloads into what stores keep, and back. */
export interface Vault {
  /** `about` identifies the payload: what is sealed for one place cannot be opened in another. */
  seal(value: unknown, about: string): Promise<string>;
  open<T>(sealed: string, about: string): Promise<T>;
}

/** Without a key, payloads are JSON that everybody who can read the store can read. */
const OPEN: Vault = {
  seal: async (value) => JSON.stringify(value),
  open: async (sealed) => parse(sealed) as never,
};

const SEALED = 'aes-gcm:';
const IV_BYTES = 12;
/** Stands for "no key" behind the keys. */
const UNENCRYPTED = 'unencrypted';

/**
 * Encrypts with AES-256-GCM if there is a key: a string of at least 32 characters, as the app has checked. Several keys are
 * separated by commas: the first one encrypts, all of them decrypt, so that a key can be replaced while tasks are kept. With a key,
 * payloads that are not encrypted are refused: whoever can write to the store could otherwise run any function as any caller. The word
 * `unencrypted` in place of a key allows them, for tasks that were started before there was one.
 */
export function createVault(keys: string | undefined): Vault {
  if (keys === undefined) return OPEN;
  const given = keys.split(',').map((key) => key.trim());
  const secrets = given.filter((key) => key !== UNENCRYPTED);
  const takesUnencrypted = secrets.length < given.length;
  const imported = Promise.all(secrets.map(toKey));
  return {
    async seal(value, about) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const [key] = await imported;
      const bytes = await crypto.subtle.encrypt(parameters(iv, about), key!, utf8.encode(JSON.stringify(value)));
      return `${SEALED}${toBase64(iv)}:${toBase64(new Uint8Array(bytes))}`;
    },
    async open(sealed, about) {
      if (!sealed.startsWith(SEALED)) {
        if (takesUnencrypted) return parse(sealed) as never;
        throw new Error('A task is not encrypted, although EVERYWIRE_TASK_KEY is set');
      }
      const [iv, bytes] = sealed.slice(SEALED.length).split(':').map(fromBase64) as [Bytes, Bytes];
      for (const key of await imported) {
        const opened = await crypto.subtle.decrypt(parameters(iv, about), key, bytes).catch(() => undefined); // another key
        if (opened) return JSON.parse(new TextDecoder().decode(opened)) as never;
      }
      throw new Error('A task was encrypted with another EVERYWIRE_TASK_KEY, or was changed in the store');
    },
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

const utf8 = new TextEncoder();

const parameters = (iv: Uint8Array, about: string) => ({
  name: 'AES-GCM',
  iv: iv as Bytes,
  additionalData: utf8.encode(about),
});

async function toKey(secret: string): Promise<CryptoKey> {
  const digest = await crypto.subtle.digest('SHA-256', utf8.encode(secret));
  return crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

function parse(sealed: string): unknown {
  if (sealed.startsWith(SEALED)) throw new Error('A task is encrypted; set EVERYWIRE_TASK_KEY to its key');
  return JSON.parse(sealed);
}
