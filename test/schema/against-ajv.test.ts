import { annotatedWith } from '@hyperjump/json-schema/annotated-instance/experimental';
import { annotate } from '@hyperjump/json-schema/annotations/experimental';
import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { compileArguments, compileResults } from '../../src/core/input-output.ts';
import { defaultLimits } from '../../src/core/limits.ts';
import { compileCheck } from '../../src/schema/check.ts';
import { isRecord, type JsonSchema } from '../../src/schema/json-schema.ts';
import { mistakesIn } from '../../src/schema/mistakes.ts';
import { keysOf } from '../../src/schema/pointer.ts';
import { compileRevive } from '../../src/schema/revive.ts';
import { readSchema } from '../../src/schema/schema.ts';
import { toJson } from '../../src/schema/to-json.ts';
import { proves } from '../promises.ts';
import { report } from '../reliability/figures.ts';
import { size } from '../kit/sizes.ts';
import { DATE, Generator, randomFrom } from './random-schemas.ts';

// SEED=random tests other schemas each time.
const given = process.env['SEED'] ?? '20261116';
const seed = given === 'random' ? Math.floor(Math.random() * 2 ** 32) : Number(given);
const wanted = Number(process.env['COMPARISONS'] ?? size(10_000, 100_000));
const PER_SCHEMA = 100;

/** The reasons for which our result may differ from ajv's. Any other difference fails the test. */
const REASONS: readonly { readonly name: string; readonly applies: (asked: Asked) => boolean | Promise<boolean> }[] = [
  {
    name: 'differ: an integer beyond 2^53 is refused, since it may stand for any of several that a caller wrote',
    applies: ({ value }) => hasLongInteger(value),
  },
  {
    // ajv keeps annotations of failed branches, and accepts an empty list for `contains`.
    name: 'differ: ajv is alone; a third validator, which collects annotations as the specification says, agrees with us',
    applies: async ({ schema, value, accepted }) => (await thirdOpinion(schema, value)) === accepted,
  },
];

interface Asked {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly accepted: boolean;
}

function hasLongInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLongInteger);
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

async function withThird<T>(schema: JsonSchema, ask: (id: string) => Promise<T>): Promise<T> {
  const id = 'https://example.test/schema';
  registerSchema({ $schema: DIALECT, ...larger(schema) } as never, id);
  return ask(id).finally(() => unregisterSchema(id));
}

const thirdOpinion = (schema: JsonSchema, value: unknown) =>
  withThird(schema, async (id) => (await validate(id, larger(value) as never)).valid);

/** The third validator accepts anything below 1.2e-7 as a multiple of any number; 1e-5 is used instead. */
function larger<T>(json: T): T {
  return JSON.parse(JSON.stringify(json).replaceAll('1e-7', '1e-5')) as T;
}

/** ajv throws on some schemas that it has compiled. */
function judge(validator: (value: unknown) => unknown, value: unknown): boolean | undefined {
  try {
    return validator(value) === true;
  } catch {
    return undefined;
  }
}

it(proves('schema.official', `gives the verdicts of ajv (SEED=${seed})`), { timeout: 300_000 }, async () => {
  const generator = new Generator(randomFrom(seed));
  const differences = new Map(REASONS.map(({ name }) => [name, 0]));
  const keywords = new Set<string>();
  const ajv = new Ajv2020({ ...AJV, validateSchema: false });
  let [comparisons, acceptances, unsent] = [0, 0, 0];
  while (comparisons < wanted) {
    const schema = generator.root();
    const read = readSchema(schema, 'input');
    if (mistakesIn(read.json).length > 0) continue; // circular references
    keywordsIn(schema, keywords);
    const check = compileCheck(read.json);
    const admit = compileArguments(read, { strict: false, coerce: false, bounds: defaultLimits });
    const { confirm } = compileResults({ kind: 'one', schema: read }, 64);
    const validator = ajv.compile(schema);
    for (let i = 0; i < PER_SCHEMA; i++) {
      const value = generator.value(3);
      const problems = check(value);
      const accepted = problems === undefined;
      comparisons++;
      if (accepted) acceptances++;
      const where = `SEED=${seed}\nschema ${JSON.stringify(schema)}\nvalue  ${JSON.stringify(value)}`;
      // Invalid values are explained.
      if (problems?.length === 0) expect.fail(`refused without a word\n${where}`);
      if (accepted) {
        // What is sent has lost what no schema describes, and is valid; what a function is given has lost nothing that matters.
        const sent = confirm(value);
        if (sent.problems) unsent++;
        else if (check(sent.value)) expect.fail(`sends ${JSON.stringify(sent.value)}\n${where}`);
        const admitted = isRecord(value) ? admit(value) : { value };
        const kept = toJson('value' in admitted ? admitted.value : NaN, 64);
        if (kept.problem || check(kept.value)) expect.fail(`gives ${JSON.stringify(admitted)}\n${where}`);
      }
      const opinion = judge(validator, value);
      if (accepted === opinion) continue;
      const asked = { schema, value, accepted };
      let reason: string | undefined;
      for (const { name, applies } of REASONS) if (reason === undefined && (await applies(asked))) reason = name;
      if (reason === undefined)
        expect.fail(`we say ${accepted}, ajv ${String(opinion)}: ${JSON.stringify(problems)}\n${where}`);
      differences.set(reason, differences.get(reason)! + 1);
    }
  }
  report('verdicts', {
    verdicts: comparisons,
    accepted: acceptances,
    'results that are refused because they are invalid without what no schema describes': unsent,
    keywords: keywords.size,
    ...Object.fromEntries(differences),
    seed: `SEED=${seed}`,
  });
  expect(acceptances / comparisons).toBeGreaterThan(0.05);
  expect(keywords.size).toBeGreaterThanOrEqual(36);
});

it(proves('output.forms', `revives every form that applies (SEED=${seed})`), { timeout: 300_000 }, async () => {
  const generator = new Generator(randomFrom(seed + 1));
  for (let revived = 0; revived < size(60, 2000);) {
    // Several branches of anyOf may accept a string, of which the first counts.
    const schema = JSON.parse(JSON.stringify(generator.root()).replaceAll('"anyOf"', '"oneOf"')) as JsonSchema;
    const revive = mistakesIn(schema).length > 0 ? undefined : compileRevive(schema, false);
    if (!revive) continue;
    const check = compileCheck(schema);
    const values = Array.from({ length: PER_SCHEMA }, () => generator.value(3));
    for (const value of values.filter((one) => JSON.stringify(one).includes(DATE) && !check(one))) {
      const found = await withThird(schema, async (id) => [
        ...annotatedWith(await annotate(id, value as never), 'x-everywire', DIALECT),
      ]).catch(() => undefined);
      // The third validator may disagree about the value itself.
      if (!found) continue;
      const places = new Set(
        found
          .map(({ pointer }) => keysOf(pointer))
          .flatMap((keys) => (at(value, keys) === DATE ? [keys.join('/')] : [])),
      );
      revived += places.size;
      expect(datesIn(revive(value)).toSorted(), JSON.stringify([schema, value])).toEqual([...places].toSorted());
    }
  }
});

const at = (value: unknown, keys: readonly string[]) =>
  keys.reduce((inner, key) => (inner as Record<string, unknown>)[key], value);

function datesIn(value: unknown, place: readonly string[] = []): string[] {
  // A form without a format also makes dates of other strings.
  if (value instanceof Date) return value.getTime() === Date.parse(DATE) ? [place.join('/')] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => datesIn(inner, [...place, name]));
}

const AJV = { strict: false, logger: false, validateFormats: false, ownProperties: true } as const;

function keywordsIn(schema: unknown, found: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [keyword, inner] of Object.entries(schema)) {
    if (!Array.isArray(schema) && KEYWORD.test(keyword)) found.add(keyword);
    if (keyword !== 'enum' && keyword !== 'const') keywordsIn(inner, found);
  }
}

const KEYWORD =
  /^(?:\$ref|type|enum|const|m(?:in|ax)[A-Z]\w+|minimum|maximum|exclusive\w+|multipleOf|pattern\w*|uniqueItems|required|dependent\w+|properties|additionalProperties|propertyNames|unevaluated\w+|items|prefixItems|contains|allOf|anyOf|oneOf|not|if|then|else)$/;
