import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { publicSchema } from '../../src/sources/module/bind/public-schema.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import type { ModuleDescription } from '../../src/sources/module/description.ts';
import { describeModule } from '../../src/sources/module/describe-module.ts';
import { accepts } from '../../src/schema/accepts.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import type { Case } from './cases/case.ts';
import { known } from './cases/known.ts';
import { lists } from './cases/lists.ts';
import { objects } from './cases/objects.ts';
import { primitives } from './cases/primitives.ts';
import { recursion } from './cases/recursion.ts';
import { results } from './cases/results.ts';
import { strings } from './cases/strings.ts';
import { unions } from './cases/unions.ts';
import { compilers } from './compilers.ts';

const cases: readonly Case[] = [primitives, strings, unions, lists, objects, recursion, known, results].flat();

const write = ({ place, type, types }: Case, i: number) =>
  place === 'parameter'
    ? `export namespace c${i} { ${types}\n export function f(x: ${type}): void { void x } }`
    : `export namespace c${i} { ${types}\n export function f(): ${type} { return null! } }`;

describe.each(compilers)('with TypeScript $version', ({ folder }) => {
  let module: ModuleDescription;

  beforeAll(async () => {
    const path = join(temporaryFolder('battery'), 'battery.ts');
    writeFileSync(path, cases.map(write).join('\n'));
    ({ description: module } = await describeModule(path, { typescript: folder }));
  });

  it.each(cases.map((one, i) => ({ ...one, i })))('$place $type', ({ i, place, schema, accepted, rejected }) => {
    const read = schemaOf(i, place);
    const { $defs: _, ...bare } = read;
    expect(bare).toEqual(schema);
    const published = publicSchema(read);
    for (const value of accepted)
      expect({ value, is: accepts(value, published, published) }).toEqual({ value, is: true });
    for (const value of rejected)
      expect({ value, is: accepts(value, published, published) }).toEqual({ value, is: false });
  });

  function schemaOf(i: number, place: Case['place']): JsonSchema {
    const name = `c${i}.f`;
    expect(module.refusals.filter((refusal) => refusal.name === name)).toEqual([]);
    const fn = module.functions.find((one) => one.name === name)!;
    if (place === 'result') return fn.result.kind === 'one' ? fn.result.schema : {};
    return { ...fn.input.properties!['x']!, ...(fn.input['$defs'] !== undefined && { $defs: fn.input['$defs'] }) };
  }
});
