import { unknownOptions } from '../core/unknown-options.ts';
import type { Known } from '../core/unknown-options.ts';
import type { TlsOptions } from './certificate.ts';
import type { CompressionOptions } from './compression.ts';
import type { ServeOptions } from './node.ts';
import type { ShowConsoleOptions } from './show-console.ts';

const SERVE_OPTIONS = {
  port: true,
  host: true,
  hosts: true,
  cors: true,
  env: true,
  files: true,
  tls: true,
  compression: true,
  trustProxy: true,
  console: true,
  names: true,
} satisfies Known<ServeOptions>;

const TLS_OPTIONS = { cert: true, key: true } satisfies Known<TlsOptions>;
const CONSOLE_OPTIONS = { show: true, command: true, flags: true } satisfies Known<ShowConsoleOptions>;
const COMPRESSION_OPTIONS = { from: true } satisfies Known<CompressionOptions>;

/** Repeats the checks of TypeScript, for JavaScript users. */
export function checkServeOptions(options: ServeOptions, by = 'serve'): void {
  const { tls, compression, trustProxy = [] } = options;
  const problems = [
    ...unknownOptions(options, SERVE_OPTIONS),
    ...unknownOptions(tls, TLS_OPTIONS, 'tls'),
    ...unknownOptions(compression, COMPRESSION_OPTIONS, 'compression'),
    ...unknownOptions(options.console, CONSOLE_OPTIONS, 'console'),
  ];
  if (tls !== undefined && !isObject(tls)) problems.push('tls must be an object with cert and key');
  if (compression !== undefined && compression !== false && !isObject(compression))
    problems.push('compression must be false, or an object such as { from: 4096 }');
  const { from = 0 } = compression || {};
  if (!Number.isInteger(from) || from < 0)
    problems.push(`compression.from must be a non-negative integer, not ${String(from)}`);
  if (!['boolean', 'undefined', 'object'].includes(typeof options.console))
    problems.push('console must be true or false');
  if (![undefined, 'portable'].includes(options.names)) problems.push('names must be "portable"');
  if (!Array.isArray(trustProxy)) problems.push('trustProxy must be a list of addresses, such as ["10.0.0.0/8"]');
  if (problems.length > 0) throw new TypeError(`${by}: ${problems.join('; ')}`);
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
