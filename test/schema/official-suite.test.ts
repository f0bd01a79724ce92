import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withoutAnchors } from '../../src/schema/anchors.ts';
import { compileCheck } from '../../src/schema/check.ts';
import { FORMATS } from '../../src/schema/engine/formats.ts';
import { mapSchemas } from '../../src/schema/embed.ts';
import { CHECKED_BY_LIBRARY, type JsonSchema } from '../../src/schema/json-schema.ts';
import { mistakesIn } from '../../src/schema/mistakes.ts';
import { proves } from '../promises.ts';
import { report } from '../reliability/figures.ts';

// The official JSON-Schema-Test-Suite (MIT) is not part of this repository.
const folder =
  process.env['JSON_SCHEMA_TEST_SUITE'] ?? new URL('../../../shared/json-schema-test-suite', import.meta.url).pathname;
const isThere = existsSync(`${folder}/draft2020-12`);

if (!isThere) {
  it('the official JSON Schema tests are there', ({ skip }) => {
    const missing = `there is no ${folder}/draft2020-12: set JSON_SCHEMA_TEST_SUITE to the folder "tests" of a clone of https://github.com/json-schema-org/JSON-Schema-Test-Suite`;
    if (process.env['CI'] === 'true') expect.fail(missing);
    skip(missing);
  });
}

interface Group {
  readonly description: string;
  readonly schema: JsonSchema | boolean;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

const groupsIn = (path: string) => JSON.parse(readFileSync(`${folder}/draft2020-12/${path}`, 'utf8')) as Group[];
const filesIn = (path: string) =>
  isThere ? readdirSync(`${folder}/draft2020-12/${path}`).filter((file) => file.endsWith('.json')) : [];

/** The only reasons for which an app is refused when it is built. */
const REFUSED = [
  /^dynamic references are not supported/,
  /is in another document; only references into this schema/,
  /^an \$id inside a schema changes what references mean/,
  /^expected a draft of json-schema\.org/,
];

/** Turns formats into annotations, which is the default of the specification. */
function withoutFormats(schema: JsonSchema | boolean): JsonSchema | boolean {
  if (typeof schema === 'boolean') return schema;
  const copy = mapSchemas(schema, (inner) => withoutFormats(inner) as JsonSchema);
  return 'format' in schema && !('pattern' in schema) ? { ...copy, [CHECKED_BY_LIBRARY]: 'formats' } : copy;
}

let refused = 0;
let verdicts = 0;

describe.skipIf(!isThere)('the official JSON Schema tests, draft 2020-12', () => {
  it.each(filesIn(''))(proves('schema.official', '%s'), (file) => {
    for (const { description, schema, tests } of groupsIn(file)) {
      const read = typeof schema === 'boolean' ? { allOf: [schema] } : withoutAnchors(schema);
      const mistakes = mistakesIn(read).map(({ message }) => message);
      if (mistakes.length > 0) {
        refused++;
        const isKnown = mistakes.some((message) => REFUSED.some((reason) => reason.test(message)));
        expect(isKnown, `${description}: ${mistakes.join()}`).toBe(true);
        continue;
      }
      const check = compileCheck(withoutFormats(read) as JsonSchema);
      for (const one of tests) {
        verdicts++;
        const problems = check(one.data);
        const where = `${description} › ${one.description}: ${JSON.stringify(problems)}`;
        expect(problems === undefined, where).toBe(one.valid);
        // Invalid values are explained.
        if (problems) expect(problems.length, where).toBeGreaterThan(0);
      }
    }
  });

  it('ran completely', () => {
    report('official', { verdicts, 'schemas refused when the app is built': refused });
    expect(verdicts).toBeGreaterThan(1100);
    expect(refused).toBeLessThan(61);
  });
});

/** Intended difference: internationalized names are not decoded to check combinations of characters. */
const isEncodedName = (file: string, data: unknown) =>
  file === 'hostname.json' && String(data).toLowerCase().includes('xn--');

describe.skipIf(!isThere)('formats, where they are checked', () => {
  const files = filesIn('optional/format').filter((file) => FORMATS.has(file.replace('.json', '')));
  it.each(files)('%s', (file) => {
    for (const { schema, tests } of groupsIn(`optional/format/${file}`)) {
      const check = compileCheck(schema as JsonSchema);
      for (const { description, data, valid } of tests)
        expect(check(data) === undefined, description).toBe(isEncodedName(file, data) || valid);
    }
  });
});
