import type { Described } from '../../responses/profiles/profile.ts';
import { textFor } from '../../responses/text.ts';
import { tableOf } from './table.ts';

/** The values of `--format`. */
export const formatNames = ['text', 'table', 'json', 'jsonl', 'yaml'] as const;

export type FormatName = (typeof formatNames)[number];

/** The data of a successful call as it is printed. */
export type Format = (data: unknown, fn?: Described) => string;

/** YAML needs a package, which is loaded only if it is used. `width` limits the lines of tables. */
export async function loadFormat(name: FormatName, width: number): Promise<Format> {
  if (name === 'text') return (data, fn) => `${textFor(data, fn, Infinity)}\n`;
  const print = name === 'yaml' ? await loadYaml() : name === 'table' ? tableOf(width) : JSON_FORMATS[name];
  // A function that returns nothing prints nothing.
  return (data) => (data === undefined ? '' : print(data));
}

const JSON_FORMATS = {
  json: (data: unknown) => `${JSON.stringify(data, null, 2)}\n`,
  /** One line for each item of a list. */
  jsonl: (data: unknown) => (Array.isArray(data) ? data : [data]).map((item) => `${JSON.stringify(item)}\n`).join(''),
};

async function loadYaml(): Promise<(data: unknown) => string> {
  const { stringify } = await import('yaml');
  return (data) => stringify(data, { lineWidth: 0, aliasDuplicateObjects: false });
}
