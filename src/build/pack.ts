import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { toAscii } from './ascii.ts';

export interface Part {
  readonly name: string;
  readonly code: string;
  /** The modules that are in it. */
  readonly modules: readonly string[];
}

/** What was seen of a build when it ran. */
export interface Warm {
  /** The modules that a request over CGI needs, and those that an MCP server needs. */
  readonly groups: readonly ReadonlySet<string>[];
  /** What V8 made of scripts, by the name of the first part in each, in base64. */
  readonly caches: Readonly<Record<string, string>>;
}

const COLD: Warm = { groups: [], caches: {} };

/** How a file is loaded by Node: as its name says. */
export type Kind = 'module' | 'commonjs';

/**
 * One file of many parts: a loader that runs, and the parts as text in a comment. What is needed together is one script,
 * since each has a price of its own; and all of the file is read at every start, so that whatever a request over CGI does
 * without is squeezed.
 */
export function pack(parts: readonly Part[], stamp: string, kind: Kind, { groups, caches }: Warm = COLD): string {
  let text = 'function text(){/*\n';
  const put = (more: string): [at: number, length: number] => {
    const at = text.length;
    text += `${more}\n`;
    return [at, more.length];
  };
  // What is only built to be watched need not be small.
  const isLast = Object.keys(caches).length > 0;
  const places = scriptsOf(parts, groups).map(({ names, code, imports }, i) => {
    const cache = caches[names[0]!];
    const isSqueezed = isLast && i > 0 && code.length > SQUEEZED_FROM;
    const texts = [isSqueezed ? squeeze(Buffer.from(code)) : hide(code)];
    // Node 20 loses who imports, and from where, when it takes what was made before.
    if (cache !== undefined && !imports) texts.push(isSqueezed ? squeeze(Buffer.from(cache, 'base64')) : cache);
    return [names, [Number(imports), Number(isSqueezed), ...texts.flatMap(put)]];
  });
  const loader = readFileSync(new URL('../build/loader.js', import.meta.url), 'utf8')
    .replaceAll(/^\s*\/[/*].*\n/gm, '')
    .replaceAll(/^export /gm, '');
  text += '*/}';
  const head = `const PLACES = ${JSON.stringify(places)};\nconst LENGTH = ${text.length};\n${loader}${START[kind]}`;
  return `${begin(stamp)}${head}${text}`;
}

const SQUEEZED_FROM = 500;
// The two levels above this one save a few percent, and take ten times as long.
const SQUEEZE = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const squeeze = (bytes: Buffer) => brotliCompressSync(bytes, SQUEEZE).toString('base64');

/** As a command, the app is loaded when stdout is out of its reach; as a module, it is what is exported. */
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
    return false; // no file at all
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

/** The bundler's own few lines, which every other part begins with. */
const isRuntime = (module: string) => module.includes('rolldown/runtime');

/** One for each group, and one for each part that is in none. */
function scriptsOf(parts: readonly Part[], groups: Warm['groups']): PackedScript[] {
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
      // Only what every request needs is worth the reading.
      code: all === grouped[0] ? toAscii(code) : code,
      imports: all.some(imports),
    };
  });
}

function asMethod({ name, code }: Part): string {
  return `${JSON.stringify(name)}(exports, require, module, __filename, __dirname) { 'use strict';${code}\n}`;
}

/** A module that is all of it: where the app waits for something while it loads, nothing can be left for later. */
export function packModule(parts: readonly Part[], stamp: string): string {
  return begin(stamp) + parts.map(({ code }) => code).join('');
}

// Older versions of Node would print a line of the code that they do not know.
const TOO_OLD = `if (!process.getBuiltinModule) {
  console.error('error: this needs Node.js 20.19 or later, and this is ' + process.versions.node);
  process.exit(1);
}`;

const begin = (stamp: string) => `#!/usr/bin/env node\n${stamp}\n${TOO_OLD}\n`;

/**
 * Text that does not end the comment it stands in, and has nothing but ASCII: a single letter more would make V8 keep all
 * of the file in two bytes a letter. loader.ts puts back what is hidden.
 */
function hide(code: string): string {
  return code.replaceAll(/\*\/|[^\t\n\r -~]/g, (found) =>
    found === '*/' ? '\x7f!' : `\x7f${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
