import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { compileCheck } from '../../src/schema/check.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { mistakesIn } from '../../src/schema/mistakes.ts';
import { proves } from '../promises.ts';
import { report } from '../reliability/figures.ts';
import { size } from '../kit/sizes.ts';
import { Generator, randomFrom } from './random-schemas.ts';

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

async function thirdOpinion(schema: JsonSchema, value: unknown): Promise<boolean> {
  const id = 'https://example.test/schema';
  registerSchema({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...larger(schema) } as never, id);
  try {
    return (await validate(id, larger(value) as never)).valid;
  } finally {
    unregisterSchema(id);
  }
}

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
  let [comparisons, acceptances] = [0, 0];
  while (comparisons < wanted) {
    const schema = generator.root();
    if (mistakesIn(schema).length > 0) continue; // circular references
    keywordsIn(schema, keywords);
    const check = compileCheck(schema);
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
    keywords: keywords.size,
    ...Object.fromEntries(differences),
    seed: `SEED=${seed}`,
  });
  expect(acceptances / comparisons).toBeGreaterThan(0.05);
  expect(keywords.size).toBeGreaterThanOrEqual(36);
});

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
