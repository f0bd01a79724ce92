import { readFileSync } from 'node:fs';

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
 * since each script has a fixed cost. A CGI request starts 16 ms earlier than with a plain bundle with lazy chunks (34 ms
 * instead of 51), and 48 ms earlier than with one file (`npm run bench -- --only tricks`).
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
  const places = scriptsOf(parts, groups).map(({ names, code, imports }) => {
    const cache = caches[names[0]!];
    const texts = [escapeText(code)];
    // With a code cache, Node 20 does not know which script calls import().
    if (cache !== undefined && !imports) texts.push(cache);
    return [names, [Number(imports), ...texts.flatMap(put)]];
  });
  const loader = readFileSync(new URL('../build/loader.js', import.meta.url), 'utf8')
    .replaceAll(/^\s*\/[/*].*\n/gm, '')
    .replaceAll(/^export /gm, '');
  text += '*/}';
  const head = `const PLACES = ${JSON.stringify(places)};\nconst LENGTH = ${text.length};\n${loader}${START[kind]}`;
  return `${begin(stamp)}${head}${text}`;
}

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
  return [...grouped, ...alone].map((all) => ({
    names: all.map(({ name }) => name),
    code: `({${all.map(asMethod).join(',\n')}})`,
    imports: all.some(imports),
  }));
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
