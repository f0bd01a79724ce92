import { readFileSync } from 'node:fs';
import type { SourceMap, SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A source map of compiled code. */
export interface CodeMap extends Pick<SourceMapPayload, 'sources' | 'names' | 'mappings'> {
  readonly version: 3;
  /** Characters that were added to a line later, and the column behind them. */
  readonly added: readonly (readonly [line: number, column: number, count: number])[];
}

interface ReadMap {
  readonly map: SourceMap;
  readonly added: CodeMap['added'];
}

/** Folders of source maps, by the URL of the folder with the code. */
const folders = new Map<string, string>();
const maps = new Map<string, ReadMap | undefined>();

/**
 * Shows lines of the source in stack traces of compiled code. Nothing is read before an error has such a frame. Node could do it
 * too, but would read the source maps of all packages, and look up every frame of every error.
 */
export function mapStackTraces(codeFolder: string, mapFolder: string): void {
  const isFirst = folders.size === 0;
  folders.set(`${pathToFileURL(codeFolder).href}/`, mapFolder);
  // With --enable-source-maps, Node does it.
  if (!isFirst || (process as { sourceMapsEnabled?: boolean }).sourceMapsEnabled === true) return;
  const before = Error.prepareStackTrace?.bind(Error);
  Error.prepareStackTrace = (error, sites) => {
    const mapped = sites.map(atSource);
    return before ? (before(error, mapped) as unknown) : [titleOf(error), ...mapped.map(textOf)].join('\n    at ');
  };
}

function titleOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>'; // a getter that throws
  }
}

const textOf = (site: unknown) => String(site);

/** A frame with the position in the source; the same frame if it is not one of compiled code. */
function atSource(site: NodeJS.CallSite): NodeJS.CallSite {
  const file = site.getFileName();
  const [line, column] = [site.getLineNumber(), site.getColumnNumber()];
  if (typeof file !== 'string' || line === null || column === null) return site;
  const found = mapOf(file);
  if (!found) return site;
  const added = found.added.filter(([at, from]) => at === line - 1 && from < column);
  const columnInMap = added.reduce((sum, [, , count]) => sum - count, column - 1);
  const entry = found.map.findEntry(line - 1, Math.max(0, columnInMap));
  if (!('originalLine' in entry)) return site;
  const [sourceLine, sourceColumn] = [entry.originalLine + 1, entry.originalColumn + 1];
  const own: Partial<Record<PropertyKey, unknown>> = {
    getLineNumber: () => sourceLine,
    getColumnNumber: () => sourceColumn,
    toString: () => textOf(site).replace(`:${line}:${column}`, () => `:${sourceLine}:${sourceColumn}`),
  };
  // The methods of a frame refuse every other receiver.
  return new Proxy(site, {
    get(target, name) {
      const value = own[name] ?? (Reflect.get(target, name) as unknown);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function mapOf(file: string): ReadMap | undefined {
  const end = file.lastIndexOf('/') + 1;
  const folder = folders.get(file.startsWith('file:') ? file.slice(0, end) : pathToFileURL(file.slice(0, end)).href);
  if (folder === undefined) return undefined;
  const name = file.slice(end).replace(/[?#].*$/, '');
  if (!maps.has(name)) maps.set(name, readMap(join(folder, `${name}.json`)));
  return maps.get(name);
}

function readMap(path: string): ReadMap | undefined {
  try {
    const payload = JSON.parse(readFileSync(path, 'utf8')) as CodeMap;
    const { SourceMap } = process.getBuiltinModule('node:module');
    return { map: new SourceMap(payload as unknown as SourceMapPayload), added: payload.added };
  } catch {
    return undefined; // JavaScript, or the map is gone
  }
}
