import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/create-app.ts';
import { accepts } from '../../src/schema/accepts.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { sampleOf } from '../../src/schema/sample.ts';
import { bindModule } from '../../src/sources/module/bind-module.ts';
import { publicSchema } from '../../src/sources/module/bind/public-schema.ts';
import type { FunctionDescription, ModuleDescription } from '../../src/sources/module/description.ts';
import type { Case } from './cases/case.ts';
import { common, exported } from './cases/exports.ts';
import { endless, large, templates } from './cases/hostile.ts';
import { objects } from './cases/objects.ts';
import { refusals } from './cases/refusals.ts';
import { results } from './cases/results.ts';
import { signatures } from './cases/signatures.ts';
import { strings } from './cases/strings.ts';
import { values } from './cases/values.ts';
import { compilers, outcomeOf, readSource } from './read-source.ts';

const types: readonly Case[] = [values, strings, objects, results].flat();

const functionOf = ({ place, type }: Case) =>
  place === 'parameter' ? `f(x: ${type}): void { void x }` : `f(): ${type} { return null! }`;
const inNamespaces = (codes: readonly string[]) => codes.map((code, i) => `export namespace c${i} { ${code} }`);
const numbered = <T extends object>(cases: readonly T[]) => cases.map((one, i) => ({ ...one, i }));

/** All cases are modules of one program: starting a compiler takes longer than reading them. */
const MODULES = {
  types: inNamespaces(types.map((one) => `${one.types}\n export function ${functionOf(one)}`)),
  refusals: inNamespaces(refusals.map(({ code }) => `export const served = () => 1; ${code}`)),
  signatures: inNamespaces(signatures.map(([code]) => `\n${code}\n`)),
  hostile: [...large.map(([, code]) => code), ...endless, 'export const last = () => 1;'],
  templates: templates.map(([type], i) => `export function f${i}(x: ${type}): void { void x }`),
};
const names = Object.keys(MODULES) as (keyof typeof MODULES)[];

describe.each(compilers)('with TypeScript $version', ({ folder }) => {
  const read = {} as Record<keyof typeof MODULES, ModuleDescription>;
  const functionIn = (module: keyof typeof MODULES, name: string): FunctionDescription =>
    read[module].functions.find((fn) => fn.name === name)!;

  beforeAll(async () => {
    const files = Object.fromEntries(names.map((name) => [`${name}.ts`, MODULES[name].join('\n')]));
    const index = names.map((name) => `export * as ${name} from './${name}.ts';`).join('\n');
    const { description } = await readSource({ 'index.ts': index, ...files }, folder);
    for (const name of names) {
      const own = <T extends { name: string }>(list: readonly T[]) =>
        list.flatMap((one) =>
          one.name.startsWith(`${name}.`) ? { ...one, name: one.name.slice(name.length + 1) } : [],
        );
      read[name] = { functions: own(description.functions), refusals: own(description.refusals) };
    }
  });

  it.each(numbered(types))('$place $type', ({ i, place, schema, accepted, rejected }) => {
    expect(read.types.refusals.filter(({ name }) => name === `c${i}.f`)).toEqual([]);
    const { input, result } = functionIn('types', `c${i}.f`);
    const { $defs: definitions, properties } = input;
    const found: JsonSchema =
      place === 'result'
        ? (result as { schema: JsonSchema }).schema
        : { ...properties!['x'], ...(definitions !== undefined && { $defs: definitions }) };
    const { $defs: _, ...bare } = found;
    expect(bare).toEqual(schema);
    const published = publicSchema(found);
    const isAccepted = (value: unknown) => accepts(value, published, published);
    expect(accepted.filter((value) => !isAccepted(value))).toEqual([]);
    expect(rejected.filter(isAccepted)).toEqual([]);
  });

  it.each(numbered(refusals))('refuses $code', ({ i, at, reason, name }) => {
    const found = read.refusals.refusals.filter((refusal) => refusal.name.startsWith(`c${i}.`));
    expect(found.map((refusal) => refusal.reason.replaceAll(`refusals.c${i}.`, ''))).toEqual([reason]);
    expect(found[0]).toMatchObject({ name: `c${i}.${name}`, file: 'refusals.ts', line: i + 1 });
    expect(found[0]!.source.slice(found[0]!.column - 1).startsWith(at)).toBe(true);
    expect(functionIn('refusals', `c${i}.served`)).toBeDefined();
  });

  it.each(signatures.map(([code, described], i) => ({ code, described, i })))('$code', ({ described, i }) => {
    const found = functionIn('signatures', `c${i}.f`);
    expect({ examples: [], ...found }).toMatchObject(described);
    if ('input' in described && 'type' in (described.input as object)) expect(found.input).toEqual(described.input);
  });

  it('all signatures make an app', () => {
    const exports = Object.fromEntries(signatures.map((_, i) => [`c${i}`, { f() {} }]));
    const functions = read.signatures.functions.map((fn) => ({ ...fn, path: fn.path.slice(1) }));
    const bound = bindModule({ functions, refusals: [] }, exports);
    const app = createApp({ name: 'All', version: '1', descriptions: 'optional', functions: bound });
    expect(app.functions).toHaveLength(signatures.length);
  });

  it('types of any size are described or refused, and hide no other function', () => {
    expect(read.hostile.functions.map(({ name }) => name)).toEqual([...large.map(([name]) => name), 'last']);
    const tooLarge = large.filter(
      ([name, , bytes]) => JSON.stringify(functionIn('hostile', name).input).length >= bytes,
    );
    expect(tooLarge).toEqual([]);
    expect(read.hostile.refusals.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      'deep: The type is nested deeper than 40 levels, or without end; use a smaller one',
      'grow: The type is nested deeper than 40 levels, or without end; use a smaller one',
    ]);
  });

  // With a second power of the length, each would take minutes; with a higher one, years.
  it('patterns of templates take time that grows with the length of a string only', () => {
    for (const [i, [type, repeated, end]] of templates.entries()) {
      const schema = functionIn('templates', `f${i}`).input.properties!['x']!;
      expect({ type, is: accepts(repeated.repeat(400_000) + end, schema, schema) }).toEqual({ type, is: false });
      expect({ type, is: accepts(sampleOf(schema, schema), schema, schema) }).toEqual({ type, is: true });
    }
  });
});

describe.each(compilers)('exports, with TypeScript $version', ({ folder }) => {
  let all: ReturnType<typeof outcomeOf>;
  beforeAll(async () => {
    const files = exported.flatMap(({ files: own }, i) => own.map((text, j) => [`c${i}/${'abc'[j]!}.ts`, text]));
    const index = exported.map((_, i) => `export * as c${i} from './c${i}/a.ts';`).join('\n');
    all = outcomeOf(await readSource({ 'index.ts': index, ...Object.fromEntries(files) }, folder));
  });

  it.each(numbered(exported))('serves what is exported to callers: $what', ({ i, served, refused }) => {
    const own = (list: readonly string[], prefix: string) =>
      list.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length));
    expect(own(all.served, `c${i}.`).join(',')).toBe(served);
    expect(own(all.refused, `c${i}/`).join('\n')).toBe(refused.replace(/(?<=: )(?=[\w.]+: )/, `c${i}.`));
  });

  it.each(common)('refuses what has no name: %s', async (code, served, refused) => {
    const reason =
      'Functions are served by the names that they are exported with; write export { name } instead of export =';
    expect(outcomeOf(await readSource({ 'a.cts': code }, folder))).toEqual({
      served: served === '' ? [] : [served],
      refused: refused === '' ? [] : [`a.cts:1:${code.indexOf('export =') + 1}: ${refused}: ${reason}`],
    });
  });

  it('keeps scopes that are in a line, or after a fence', async () => {
    const code =
      '/** Deletes all. @scope admin */ export function F() {}\n/**\n * ```\n * @scope root\n */ export function G() {}';
    const { description } = await readSource({ 'a.ts': code }, folder);
    expect(description.functions).toMatchObject([
      { description: 'Deletes all.', scopes: ['admin'] },
      { scopes: ['root'] },
    ]);
  });

  it('takes no context or failure of others for that of this package', async () => {
    const files = {
      'a.ts':
        "import type { Context } from './core/context.ts'; import type { Failure } from './core/failure.ts';" +
        'export function F(context: Context): string | Failure { return context.tenant }',
      'core/context.ts': 'export interface Context { tenant: string }',
      'core/failure.ts': 'export interface Failure { why: string }',
    };
    const { description } = await readSource(files, folder);
    expect(description.functions).toMatchObject([
      {
        parameters: [{ kind: 'property', name: 'context' }],
        input: { properties: { context: { required: ['tenant'] } } },
        result: { schema: { anyOf: [{ type: 'string' }, { required: ['why'] }] } },
      },
    ]);
  });
});
