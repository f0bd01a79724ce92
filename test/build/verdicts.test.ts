import fc from 'fast-check';
import { createApp, defineFunction } from 'everywire';
import { describe, expect, it } from 'vitest';
import { verdictsModule } from '../../src/build/verdicts.ts';
import { compileByLibrary } from '../../src/schema/validator.ts';
import type { Accepts } from '../../src/schema/validator.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { proves } from '../promises.ts';
import { schemas, values } from '../unit/arbitrary-schemas.ts';

/** The verdict that a build has for a schema; undefined when it leaves that to the library. */
function verdictOf(schema: JsonSchema): Accepts | undefined {
  const fn = defineFunction({
    name: 'Take',
    description: 'Takes something',
    input: { type: 'object', properties: { it: { ...schema, description: 'What it takes' } } },
    run: () => {},
  });
  const app = createApp({ name: 'Verdicts', version: '1.0.0', functions: [fn] });
  const made: { compileAccepts?: (schema: JsonSchema) => Accepts | undefined } = {};
  const late = () => ({ compileAccepts: () => undefined });
  // oxlint-disable-next-line no-implied-eval -- it is code that we made, as the build runs it
  new Function('exports', 'require', verdictsModule(app as never))(made, late);
  const verdict = made.compileAccepts?.(app.functions[0]!.inputSchema);
  return verdict && ((value) => verdict({ it: value }));
}

describe('verdicts that were compiled beforehand', () => {
  it(proves('build.verdicts', 'are those of the library at run time'), () => {
    let compiled = 0;
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const verdict = verdictOf(schema);
        if (verdict) compiled++;
        if (verdict) expect(verdict(value)).toBe(compileByLibrary({ properties: { it: schema } })({ it: value }));
      }),
      { numRuns: 1000 },
    );
    expect(compiled).toBeGreaterThan(900);
  });
});
