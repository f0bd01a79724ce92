import { startServing } from '../../kit/served.ts';
import { credentials, environment } from './credentials.ts';
import type { Presented } from './credentials.ts';
import * as wires from './wires.ts';
import type { Call, Seen } from './wires.ts';

interface Row {
  readonly presented: Presented;
  /** By the name of the way in. */
  readonly seen: Readonly<Record<string, Seen | undefined>>;
}

export interface Matrix {
  readonly functions: readonly Row[];
  readonly others: readonly Row[];
}

/** Presents every credential on every wire: to a real server, and to commands in this process. */
export async function observe(): Promise<Matrix> {
  Object.assign(process.env, environment);
  const served = await startServing(wires.MODULE);
  try {
    const url = async () => served.url;
    const overHttp: wires.Send = (path, init) => fetch(served.url + path, init);
    const [old, current] = ['2025-11-25', '2026-07-28'] as const;
    const functions: Record<string, Call> = {
      'in process': wires.inProcess,
      'a wire of your own': wires.ownWire,
      'app.fetch': wires.functionOver(wires.byFetch),
      HTTP: wires.functionOver(overHttp),
      CGI: wires.cgi,
      [`MCP HTTP ${old}`]: wires.mcpOver('tool', old, url),
      [`MCP HTTP ${current}`]: wires.mcpOver('tool', current, url),
      [`MCP stdio ${old}`]: wires.onStdio('tool', old),
      [`MCP stdio ${current}`]: wires.onStdio('tool', current),
      'command line': wires.commandLine,
    };
    const others: Record<string, Call> = { 'resource, HTTP': wires.resourceOver(overHttp) };
    for (const target of ['resource', 'prompt'] as const) {
      for (const revision of [old, current]) {
        others[`${target}, MCP HTTP ${revision}`] = wires.mcpOver(target, revision, url);
      }
      others[`${target}, MCP stdio`] = wires.onStdio(target, current);
    }
    return { functions: await fill(functions), others: await fill(others) };
  } finally {
    await served.stop();
  }
}

/** A row at a time: a process for each cell at once would be too many. */
async function fill(ways: Readonly<Record<string, Call>>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const presented of credentials()) {
    const cells = Object.entries(ways).map(async ([name, call]) => [name, await call(presented)] as const);
    rows.push({ presented, seen: Object.fromEntries(await Promise.all(cells)) });
  }
  return rows;
}

/** As Markdown. */
export function render({ functions, others }: Matrix): string {
  return `${table('credential', functions)}\n\nResources and prompts:\n\n${table('credential', others)}`;
}

function table(corner: string, rows: readonly Row[]): string {
  const names = Object.keys(rows[0]!.seen);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line([corner, 'code', ...names]),
    line(['---', '---', ...names.map(() => '---')]),
    ...rows.map(({ presented: { title, code }, seen }) =>
      line([title, code ? `\`${code}\`` : '–', ...names.map((name) => seen[name]?.sign ?? '–')]),
    ),
  ].join('\n');
}
