import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { describeModule } from '../../src/sources/module/describe-module.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { compilers } from './compilers.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`fixtures/libraries/${name}.ts`, import.meta.url));

/** Modules whose types are in the libraries of Node, which are read only if they are needed, and the fields of their results. */
const results: readonly (readonly [module: string, fields: readonly string[], type: string])[] = [
  ['indirect', ['id', 'rss', 'heapTotal', 'heapUsed', 'external', 'arrayBuffers', 'name'], 'number'],
  ['picked', ['rss'], 'number'],
  ['imported', ['model', 'speed', 'times'], 'string'],
];

describe.each(compilers)('with TypeScript $version', ({ folder }) => {
  const resultOf = async (name: string) => {
    const { description } = await describeModule(pathOf(name), { typescript: folder });
    expect(description.refusals).toEqual([]);
    const [fn] = description.functions;
    return fn!.result.kind === 'one' ? fn!.result.schema : undefined;
  };

  it.each(results)('%s', { timeout: 60_000 }, async (name, fields, type) => {
    const { properties = {}, required = [], additionalProperties } = (await resultOf(name))!;
    expect(Object.keys(properties).toSorted()).toEqual(fields.toSorted());
    expect(required.toSorted()).toEqual(fields.toSorted());
    expect(properties[fields[0]!]).toMatchObject({ type });
    expect(additionalProperties).toBe(false);
  });

  it('what is spread', { timeout: 60_000 }, async () => {
    expect(await resultOf('environment')).toMatchObject({
      type: 'object',
      additionalProperties: { type: ['string', 'null'] },
    });
  });

  it('is not what only has the name of one', async () => {
    const project = temporaryFolder('libraries');
    const write = (name: string, text: string) => writeFileSync(join(project, name), text);
    const read = () => describeModule(join(project, 'shop.ts'), { typescript: folder });
    write('shop.ts', "import type { Shop } from './lib.shop.js'; export function f(shop: Shop): void {}");
    write('lib.shop.d.ts', 'export interface Shop { name: string }');
    const { description, inputs } = await read();
    expect(inputs.files.map((file) => basename(file))).toContain('lib.shop.d.ts');
    write('lib.shop.d.ts', 'export interface Shop { id: number }');
    const { description: other } = await read();
    const fieldsOf = (one: typeof other) => Object.keys(one.functions[0]!.input.properties!['shop']!.properties!);
    expect([description, other].map(fieldsOf)).toEqual([['name'], ['id']]);
  });
});
