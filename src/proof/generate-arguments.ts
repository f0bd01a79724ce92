import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { generateValue } from './generate-value.ts';
import { pick } from './random.ts';
import type { Random } from './random.ts';

/** Arguments that are valid, repairable, invalid or malicious. */
export type Kind = 'valid' | 'repairable' | 'broken' | 'hostile';

export interface Generated {
  readonly kind: Kind;
  readonly value: unknown;
}

/** Generates arguments of a random kind; the same for the same seed. */
export function generateArguments(random: Random, schema: JsonSchema): Generated {
  const kind = pick<Kind>(random, ['valid', 'valid', 'repairable', 'broken', 'broken', 'hostile']);
  const value = generateValue(random, schema, schema);
  if (kind === 'repairable') return { kind, value: loosen(random, value) };
  if (kind === 'broken') return { kind, value: breakSomewhere(random, value, WRONG) };
  if (kind === 'hostile') return { kind, value: breakSomewhere(random, value, HOSTILE) };
  return { kind, value };
}

/** Rewrites data in forms that are repaired: numbers and booleans as strings, structures as JSON strings. */
function loosen(random: Random, value: unknown, level = 0): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return random() < 0.6 ? String(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  const inner: unknown = Array.isArray(value)
    ? value.map((item: unknown) => loosen(random, item, level + 1))
    : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, loosen(random, one, level + 1)]));
  return random() < (level === 0 ? 0.1 : 0.3) ? JSON.stringify(inner) : inner;
}

const WRONG: readonly unknown[] = [null, true, -1, 0, 1.5, 1e21, 'text', '', '10', '1.9', [], [[]], {}, { a: null }];

const HOSTILE: readonly unknown[] = [
  '\ud800',
  '\u0000',
  '\u2028</script>',
  '😀'.repeat(100),
  'x'.repeat(5000),
  -0,
  5e-324,
  Number.MAX_SAFE_INTEGER,
  Array.from({ length: 300 }, () => 'x'),
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}'),
  { toString: 1, hasOwnProperty: null, '': 0, '\ud83d': 1, 'a/b~c': 2 },
  JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`),
];

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', '', 'unknown', 'ü', '😀', 'a/b', 'x'.repeat(300)];

/** Replaces, removes or adds something in one place; sometimes replaces the whole value. */
function breakSomewhere(random: Random, value: unknown, by: readonly unknown[]): unknown {
  if (random() < 0.08) return structuredClone(pick(random, by));
  const copy = structuredClone(value);
  const places: Record<string, unknown>[] = [];
  const visit = (inner: unknown): void => {
    if (typeof inner !== 'object' || inner === null) return;
    places.push(inner as Record<string, unknown>);
    Object.values(inner).forEach(visit);
  };
  visit(copy);
  if (places.length === 0) return structuredClone(pick(random, by));
  const place = pick(random, places);
  const keys = Object.keys(place);
  const how = random();
  if (how < 0.25 && keys.length > 0 && isRecord(place)) delete place[pick(random, keys)];
  else {
    const own = how < 0.75 && keys.length > 0;
    const key = own ? pick(random, keys) : Array.isArray(place) ? String(place.length) : pick(random, NAMES);
    // defineProperty, so that __proto__ is an ordinary field.
    const found = { value: structuredClone(pick(random, by)), enumerable: true, configurable: true, writable: true };
    Object.defineProperty(place, key, found);
  }
  return copy;
}
