import { pathToFileURL } from 'node:url';
import { digestOf } from '../digest.ts';
import type { Links } from '../input-states.ts';
import { CONTEXT, compileFile } from './compile-file.ts';
import type { CompiledFile } from './compile-file.ts';
import { CONTEXTS } from './context.ts';
import { Resolver, TYPESCRIPT } from './resolve-import.ts';
import type { Resolved } from './resolve-import.ts';
import type { CodeMap } from './stack-traces.ts';
import { loadTools } from './tools.ts';

export interface CompiledGraph {
  /** The name of the file that stands for the module; undefined if Node loads the module itself. */
  readonly entry: string | undefined;
  /** By the name of the file. */
  readonly code: ReadonlyMap<string, CompiledCode>;
  readonly inputs: readonly string[];
  readonly missing: readonly string[];
  readonly links: Links;
  /** Mistakes in tsconfig.json, as sentences. */
  readonly mistakes: ReadonlySet<string>;
}

type UrlOf = (kind: 'code' | 'maps', name: string) => string;

interface CompiledCode {
  readonly text: string;
  readonly map: CodeMap | undefined;
}

/**
 * Compiles a module, given by its real path, and everything that it imports and Node does not load as it is. `urlOf` returns
 * where the code or the source map of a file will be.
 */
export async function compileGraph(entry: string, urlOf: UrlOf): Promise<CompiledGraph> {
  const tools = await loadTools();
  const resolver = new Resolver(tools.createJiti);
  const files = compileAll(entry, (path) => compileFile(path, tools, resolver));
  const names = namesOf(entry, files);
  const { inputs, missing, links } = resolver.dependencies;
  return {
    entry: names.get(entry),
    code: new Map([...names].map(([path, name]) => [name, write(files.get(path)!, names, name, urlOf)])),
    inputs: [...new Set([...files.keys(), ...inputs])],
    missing: [...missing],
    links: [...links],
    mistakes: resolver.mistakes,
  };
}

type Files = ReadonlyMap<string, CompiledFile>;

/** A mistake in what is only imported late is one of the program when it gets there, and not of the module. */
function compileAll(entry: string, compile: (path: string) => CompiledFile): Files {
  const files = new Map<string, CompiledFile>();
  const failed = new Set<string>();
  /** With all that it imports first. */
  const add = (path: string) => {
    const added = new Map<string, CompiledFile>();
    const waiting = new Set([path]);
    for (const one of waiting) {
      if (files.has(one)) continue;
      const file = compile(one);
      added.set(one, file);
      for (const { by, otherwise } of file.edits)
        if (!otherwise && typeof by !== 'string' && 'source' in by) waiting.add(by.source);
    }
    for (const [one, file] of added) files.set(one, file);
  };
  add(entry);
  // Grows while it is gone through.
  for (const file of files.values()) {
    for (const target of targetsOf(file)) {
      if ('url' in target || files.has(target.source) || failed.has(target.source)) continue;
      try {
        add(target.source);
      } catch {
        failed.add(target.source);
      }
    }
  }
  const isFailed = (one: string | Resolved) => typeof one !== 'string' && 'source' in one && failed.has(one.source);
  for (const [path, file] of failed.size > 0 ? files : []) {
    const edits = file.edits.map((edit) => (isFailed(edit.by) ? edit.otherwise! : edit));
    const requires = Object.fromEntries(Object.entries(file.requires).filter(([, one]) => !isFailed(one)));
    files.set(path, { ...file, edits, requires });
  }
  return files;
}

function targetsOf({ edits, requires }: CompiledFile): readonly Resolved[] {
  return [...edits.flatMap(({ by }) => (typeof by === 'string' ? [] : by)), ...Object.values(requires)];
}

const isJavaScript = (path: string) => !TYPESCRIPT.test(path) && !path.endsWith('.json');

/** A file on the way through a graph. */
interface Visit {
  readonly path: string;
  readonly index: number;
  low: number;
  /** Of all that it reaches; empty if Node loads it as it is. Undefined as long as something is not visited. */
  digest?: string;
}

/**
 * The names of the files that have to be compiled, by their paths: all but JavaScript that reaches none of them. A file is named
 * after everything that it reaches. So two modules that import a third one share it, and after a change the files that see
 * it have other names and can be loaded next to the old ones. Files that import each other are one group (Tarjan's algorithm),
 * so that the work grows with the number of imports only.
 */
function namesOf(entry: string, files: Files): ReadonlyMap<string, string> {
  const visits = new Map<string, Visit>();
  const open: Visit[] = [];
  const visit = (path: string): Visit => {
    const one: Visit = { path, index: visits.size, low: visits.size };
    visits.set(path, one);
    open.push(one);
    for (const target of targetsOf(files.get(path)!)) {
      if ('url' in target) continue;
      const other = visits.get(target.source);
      if (!other) one.low = Math.min(one.low, visit(target.source).low);
      else if (other.digest === undefined) one.low = Math.min(one.low, other.index);
    }
    if (one.low === one.index) close(open.splice(open.indexOf(one)));
    return one;
  };
  const close = (group: readonly Visit[]) => {
    let isCompiled = group.some(({ path }) => !isJavaScript(path));
    const texts = group.map(({ path }) => {
      const file = files.get(path)!;
      const targets = targetsOf(file).map((one) => {
        const digest = 'url' in one ? '' : visits.get(one.source)!.digest;
        isCompiled ||= digest !== undefined && digest !== '';
        return digest || Object.values(one)[0];
      });
      const edits = file.edits.map(({ start, by }) => [start, typeof by === 'string' ? by : '']);
      return JSON.stringify([path, file.code, edits, Object.keys(file.requires), targets]);
    });
    const digest = isCompiled ? digestOf(texts.toSorted().join('\n')) : '';
    for (const one of group) one.digest = digest;
  };
  visit(entry);
  return new Map(
    [...visits.values()]
      .filter(({ digest }) => digest !== '')
      .map(({ path, digest }) => {
        const ending = files.get(path)!.isCommonJs ? 'cjs' : 'mjs';
        return [path, `${digestOf(`${digest}\n${path}`)}.${ending}`];
      }),
  );
}

/**
 * The code of a file. Its imports lead to absolute places: if a name is not exported, Node resolves the import again, relative to
 * the source, and would report that the compiled file is missing there.
 */
function write(file: CompiledFile, names: ReadonlyMap<string, string>, name: string, urlOf: UrlOf): CompiledCode {
  const { path, code, edits, requires, mappings } = file;
  const specifierOf = (one: Resolved) => {
    if ('url' in one) return one.url;
    const target = names.get(one.source);
    return target === undefined ? pathToFileURL(one.source).href : urlOf('code', target);
  };
  const added: [line: number, column: number, count: number][] = [];
  let text = '';
  let at = 0;
  for (const { start, end, by } of edits) {
    const value = typeof by === 'string' ? by : JSON.stringify(specifierOf(by));
    text += code.slice(at, start) + value;
    at = end;
    // The rest of the line is in another column than the map says; nothing follows a static import.
    if (/^[^\n;]*[^\s;]/.test(code.slice(end, code.indexOf('\n', end) + 1)))
      added.push([text.split('\n').length - 1, text.length - text.lastIndexOf('\n') - 1, value.length - (end - start)]);
  }
  text += code.slice(at);
  const url = pathToFileURL(path).href;
  const lines = [text];
  if (text.includes(`${CONTEXT}()`)) {
    const required = Object.entries(requires).map(([specifier, one]) => [
      specifier,
      'url' in one ? one.url : `./${names.get(one.source)}`,
    ]);
    const values = [path, Object.fromEntries(required)].map((one) => JSON.stringify(one)).join(', ');
    const here = file.isCommonJs ? 'module.filename' : 'import.meta.url';
    lines.push(
      `function ${CONTEXT}() { return globalThis[Symbol.for(${JSON.stringify(CONTEXTS)})](${values}, ${here}); }`,
    );
  }
  // Stack traces then name the source; debuggers read the map.
  lines.push(
    `//# sourceURL=${url}`,
    ...(mappings === undefined ? [] : [`//# sourceMappingURL=${urlOf('maps', `${name}.json`)}`]),
    '',
  );
  const map = mappings === undefined ? undefined : { version: 3 as const, sources: [url], names: [], mappings, added };
  return { text: lines.join('\n'), map };
}
