import { KeyRing } from './key-ring.ts';

/** Keys in a file. Returns those that are valid now. */
export type KeyFile = (reportError: (thrown: unknown) => void) => KeyRing;

/** A key that is removed from the file is refused after this time, in milliseconds. */
const INTERVAL = 1000;

interface NodeFs {
  readFileSync(file: string | URL, encoding: 'utf8'): string;
}

interface NodePath {
  resolve(path: string): string;
}

/**
 * Reads the file now, and throws if it cannot be used. Later it is read again when a key is presented, at most once per
 * second: before the answer, so that a key that was removed while nobody called is not accepted once more. If the file has
 * become unusable, such as half-written, the keys stay as they were, and the mistake is reported once.
 */
export function openKeyFile(file: string | URL): KeyFile {
  const { fs, path } = builtins();
  const location = typeof file === 'string' ? path.resolve(file) : file;
  const read = () => {
    try {
      return fs.readFileSync(location, 'utf8');
    } catch (error) {
      const { code } = error as { code?: string };
      const shown = typeof location === 'string' ? location : decodeURIComponent(location.pathname);
      // The URL is most likely relative to import.meta.url, which in a built app is that of the built file.
      const hint = typeof location === 'string' ? '' : '; a built app looks for it beside the built file';
      const message = code === 'ENOENT' ? `no such file: ${shown}${hint}` : `${shown} cannot be read (${code})`;
      throw new TypeError(message, { cause: error });
    }
  };
  let text = read();
  let keys = parse(text);
  let reported: string | undefined;
  let readAt = Date.now();

  return (reportError) => {
    const now = Date.now();
    // The clock may have been set back.
    if (Math.abs(now - readAt) < INTERVAL) return keys;
    readAt = now;
    try {
      const current = read();
      if (current !== text) keys = parse(current);
      text = current;
      reported = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== reported) reportError(new Error(`The API keys stay as they were: ${message}`));
      reported = message;
    }
    return keys;
  };
}

function parse(text: string): KeyRing {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    // The message of JSON.parse quotes the text, which may contain secrets.
    throw new TypeError('the file with API keys is not valid JSON');
  }
  return new KeyRing(data);
}

function builtins(): { fs: NodeFs; path: NodePath } {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const fs = process?.getBuiltinModule?.('node:fs') as NodeFs | undefined;
  const path = process?.getBuiltinModule?.('node:path') as NodePath | undefined;
  if (!fs || !path) throw new TypeError('apiKeys: this runtime has no files; use { keys }');
  return { fs, path };
}
