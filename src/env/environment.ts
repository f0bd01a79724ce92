import type { Variables } from '../core/context.ts';

/** A folder of the host that functions see under a path of their own. */
export interface Mount {
  readonly host: string;
  readonly virtual: string;
  readonly readOnly: boolean;
}

/** `KEY=VALUE`; the value may hold further `=`. */
export function parseVariable(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`expected KEY=VALUE, got ${JSON.stringify(text)}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** `HOST:VIRTUAL[:ro]`; the host part may be `C:\data`. */
export function parseMount(text: string): Mount {
  const readOnly = text.endsWith(':ro');
  const pair = readOnly ? text.slice(0, -':ro'.length) : text;
  const at = pair.lastIndexOf(':/');
  const host = pair.slice(0, Math.max(at, 0));
  // One letter before the only colon is a drive, and the virtual path is missing.
  if (host === '' || /^[A-Za-z]$/.test(host)) {
    throw new Error(`expected HOST:VIRTUAL[:ro] with an absolute virtual path, got ${JSON.stringify(text)}`);
  }
  return { host, virtual: pair.slice(at + 1), readOnly };
}

/** Variables that were given, and no others. */
export function createVariables(given: ReadonlyMap<string, string>): Variables {
  return { get: (name) => given.get(name), list: () => Object.fromEntries(given) };
}
