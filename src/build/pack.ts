import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { toAscii } from './to-ascii.ts';

export interface Part {
  readonly name: string;
  readonly code: string;
  /** The ids of its modules. */
  readonly modules: readonly string[];
}

/** What trial runs of a build have shown. */
export interface TrialResult {
  /** The modules that a CGI request loads, and those that an MCP server loads. */
  readonly groups: readonly ReadonlySet<string>[];
  /** Code caches in base64, by the name of the first part in each script. */
  readonly caches: Readonly<Record<string, string>>;
}

const NO_TRIAL: TrialResult = { groups: [], caches: {} };

/** How Node loads the file, depending on its extension. */
export type Kind = 'module' | 'commonjs';

/**
 * Packs parts into one file: a loader, then the parts in a comment. Parts that are needed together become one script,
 * since each script has a fixed cost. Node reads the whole file at every start, so everything that a CGI request does
 * not need is compressed.
 */
export function pack(
  parts: readonly Part[],
  stamp: string,
  kind: Kind,
  { groups, caches }: TrialResult = NO_TRIAL,
): string {
  let text = 'function text(){/*\n';
  const put = (more: string): [at: number, length: number] => {
    const at = text.length;
    text += `${more}\n`;
    return [at, more.length];
  };
  // Trial builds need not be small.
  const isLast = Object.keys(caches).length > 0;
  const places = scriptsOf(parts, groups).map(({ names, code, imports }, i) => {
    const cache = caches[names[0]!];
    const isCompressed = isLast && i > 0 && code.length > COMPRESSED_FROM;
    const texts = [isCompressed ? compress(Buffer.from(code)) : escapeText(code)];
    // With a code cache, Node 20 does not know which script calls import().
    if (cache !== undefined && !imports) texts.push(isCompressed ? compress(Buffer.from(cache, 'base64')) : cache);
    return [names, [Number(imports), Number(isCompressed), ...texts.flatMap(put)]];
  });
  const loader = readFileSync(new URL('../build/loader.js', import.meta.url), 'utf8')
    .replaceAll(/^\s*\/[/*].*\n/gm, '')
    .replaceAll(/^export /gm, '');
  text += '*/}';
  const head = `const PLACES = ${JSON.stringify(places)};\nconst LENGTH = ${text.length};\n${loader}${START[kind]}`;
  return `${begin(stamp)}${head}${text}`;
}

const COMPRESSED_FROM = 500;
// Higher levels save a few percent and take ten times as long.
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const compress = (bytes: Buffer) => brotliCompressSync(bytes, COMPRESSION).toString('base64');

/** As a command, loads the app after stdout was claimed; as a module, exports the app. */
const START: Readonly<Record<Kind, string>> = {
  module: `
const { realpathSync } = process.getBuiltinModule('node:fs');
const path = process.getBuiltinModule('node:url').fileURLToPath(import.meta.url);
const load = createLoad(path, () => process.getBuiltinModule('node:module').createRequire(import.meta.url));
const isMain = isSame(process.argv[1]);
export default isMain ? undefined : load('main.js').default;
if (isMain) await load('run.js').runModule(async () => load('main.js').default, process.argv);

function isSame(started) {
  try {
    return started !== undefined && realpathSync(started) === realpathSync(path);
  } catch {
    return false; // not a file
  }
}
`,
  commonjs: `
const load = createLoad(__filename, () => require);
if (require.main === module) load('run.js').runModule(async () => load('main.js').default, process.argv);
else module.exports = load('main.js').default;
`,
};

interface PackedScript {
  readonly names: readonly string[];
  readonly code: string;
  readonly imports: boolean;
}

/** Rolldown's helpers, which every part contains. */
const isRuntime = (module: string) => module.includes('rolldown/runtime');

/** One script for each group, and one for each part outside of the groups. */
function scriptsOf(parts: readonly Part[], groups: TrialResult['groups']): PackedScript[] {
  const imports = ({ code }: Part) => /\bimport\(/.test(code);
  const groupOf = (part: Part) =>
    imports(part)
      ? -1
      : groups.findIndex((group) => part.modules.every((module) => group.has(module) || isRuntime(module)));
  const grouped = groups.map((_, i) => parts.filter((part) => groupOf(part) === i)).filter((group) => group.length > 0);
  const alone = parts.filter((part) => groupOf(part) === -1).map((part) => [part]);
  return [...grouped, ...alone].map((all) => {
    const code = `({${all.map(asMethod).join(',\n')}})`;
    return {
      names: all.map(({ name }) => name),
      // Parsing takes time; it pays off only for what every request loads.
      code: all === grouped[0] ? toAscii(code) : code,
      imports: all.some(imports),
    };
  });
}

function asMethod({ name, code }: Part): string {
  return `${JSON.stringify(name)}(exports, require, module, __filename, __dirname) { 'use strict';${code}\n}`;
}

/** A single ES module, for apps with top-level await. Nothing is loaded lazily. */
export function packModule(parts: readonly Part[], stamp: string): string {
  return begin(stamp) + parts.map(({ code }) => code).join('');
}

// Older versions of Node would fail with a confusing error.
const TOO_OLD = `if (!process.getBuiltinModule) {
  console.error('error: this needs Node.js 20.19 or later, not ' + process.versions.node);
  process.exit(1);
}`;

const begin = (stamp: string) => `#!/usr/bin/env node\n${stamp}\n${TOO_OLD}\n`;

/**
 * Escapes the end of the comment and all non-ASCII characters, a single one of which would make V8 store the whole file
 * with two bytes per character. loader.ts reverses it.
 */
function escapeText(code: string): string {
  return code.replaceAll(/\*\/|[^\t\n\r -~]/g, (found) =>
    found === '*/' ? '\x7f!' : `\x7f${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
