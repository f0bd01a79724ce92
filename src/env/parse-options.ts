/** A folder of the host that functions see under a path of their own, as it was asked for. */
export interface MountRequest {
  readonly host: string;
  readonly virtual: string;
  readonly readOnly: boolean;
  readonly maxBytes?: number;
  readonly maxFileBytes?: number;
}

/** `KEY=VALUE`; the value may hold further `=`. */
export function parseVariable(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`expected KEY=VALUE, got ${JSON.stringify(text)}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

const OPTION = String.raw`(?:ro|max=\d+[KMG]?|max-file=\d+[KMG]?)`;
const OPTIONS = new RegExp(`:(${OPTION}(?:,${OPTION})*)$`);

/** `HOST:VIRTUAL[:ro,max=10M,max-file=1M]`; the host part may be `C:\data`. */
export function parseMount(text: string): MountRequest {
  const options = OPTIONS.exec(text)?.[1]?.split(',') ?? [];
  const pair = text.replace(OPTIONS, '');
  const at = pair.lastIndexOf(':/');
  const host = pair.slice(0, Math.max(at, 0));
  const virtual = pair.slice(at + 1);
  // One letter before the only colon is a drive, and the virtual path is missing; a colon after it begins options.
  if (host === '' || /^[A-Za-z]$/.test(host) || virtual.includes(':')) {
    throw new Error(
      `expected HOST:VIRTUAL[:ro] with an absolute virtual path, got ${JSON.stringify(text)} (after the last colon: ro, max=10M, max-file=1M)`,
    );
  }
  const [maxBytes, maxFileBytes] = ['max', 'max-file'].map((name) => sizeIn(options, name));
  return {
    host,
    virtual,
    readOnly: options.includes('ro'),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(maxFileBytes !== undefined && { maxFileBytes }),
  };
}

const UNITS: Record<string, number> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

function sizeIn(options: readonly string[], name: string): number | undefined {
  const given = options.findLast((option) => option.startsWith(`${name}=`))?.slice(name.length + 1);
  if (given === undefined) return undefined;
  return Number.parseInt(given, 10) * (UNITS[given.at(-1) ?? ''] ?? 1);
}
