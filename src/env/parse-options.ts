/** A parsed `--mount`. */
export interface MountRequest {
  readonly host: string;
  readonly virtual: string;
  readonly readOnly: boolean;
  readonly maxBytes?: number;
  readonly maxFileBytes?: number;
}

/** `HOST:VIRTUAL[:ro,max=10M,max-file=1M]`; the host part may be `C:\data`. */
export function parseMount(text: string): MountRequest {
  const at = text.lastIndexOf(':/');
  const host = text.slice(0, Math.max(at, 0));
  // A single letter before the only colon is a drive: the virtual path is missing.
  if (host === '' || /^[A-Za-z]$/.test(host)) {
    throw new Error('expected HOST:VIRTUAL[:ro] with a virtual path that starts with /');
  }
  const [virtual = '', ...rest] = text.slice(at + 1).split(':');
  return { host, virtual, readOnly: false, ...Object.assign({}, ...rest.join(':').split(',').map(parseOption)) };
}

function parseOption(option: string): Partial<MountRequest> {
  if (option === '') return {};
  if (option === 'ro') return { readOnly: true };
  const [, name, size] = /^(max|max-file)=(.*)$/.exec(option) ?? [];
  if (name === undefined || size === undefined) {
    throw new Error(
      `unknown option ${JSON.stringify(option)} (available: ro, max=10M and max-file=1M, separated by commas)`,
    );
  }
  return name === 'max' ? { maxBytes: parseSize(size) } : { maxFileBytes: parseSize(size) };
}

const UNITS: Record<string, number> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

function parseSize(text: string): number {
  const [, digits, unit = ''] = /^(\d+)([KMG]?)$/i.exec(text) ?? [];
  if (digits === undefined)
    throw new Error(`expected a number of bytes, optionally with K, M or G, got ${JSON.stringify(text)}`);
  return Number(digits) * (UNITS[unit.toUpperCase()] ?? 1);
}
