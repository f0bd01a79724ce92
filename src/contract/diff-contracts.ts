import { canonicalJson } from '../schema/canonical-json.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { ContractChange, Effect } from './change.ts';
import type { Contract, FunctionContract } from './contract.ts';
import { diffSchemas } from './diff-schemas.ts';
import type { Direction, SchemaChange } from './diff-schemas.ts';

/** What has changed for callers of an app: first functions that are new or gone, then what is different in the others. */
export function diffContracts(before: Contract, after: Contract): readonly ContractChange[] {
  return [
    ...diffNamed(before.functions, after.functions, ({ name }) => name, diffFunction),
    ...diffLists('prompt', before.prompts, after.prompts),
    ...diffLists('resource', before.resources, after.resources),
  ];
}

type Detail = Pick<ContractChange, 'text' | 'isBreaking'>;

function diffNamed<T>(
  before: readonly T[],
  after: readonly T[],
  nameOf: (one: T) => string,
  diff: (before: T, after: T) => readonly Detail[],
): readonly ContractChange[] {
  const old = new Map(before.map((one) => [nameOf(one), one]));
  const now = new Map(after.map((one) => [nameOf(one), one]));
  return [
    ...[...now.keys()].filter((name) => !old.has(name)).map((name) => whole(name, 'added')),
    ...[...old.keys()].filter((name) => !now.has(name)).map((name) => whole(name, 'removed')),
    ...[...now].flatMap(([subject, one]) => {
      const earlier = old.get(subject);
      if (!earlier || canonicalJson(earlier) === canonicalJson(one)) return [];
      return diff(earlier, one).map((detail) => ({ kind: 'changed' as const, subject, ...detail }));
    }),
  ];
}

const whole = (subject: string, kind: 'added' | 'removed'): ContractChange => ({
  kind,
  subject,
  text: '',
  isBreaking: kind === 'removed',
});

function diffLists(what: string, before: readonly object[], after: readonly object[]): readonly ContractChange[] {
  const nameOf = (one: object) => `${what} ${(one as { readonly name: string }).name}`;
  return diffNamed(before, after, nameOf, () => [{ text: 'changed', isBreaking: false }]);
}

function diffFunction(before: FunctionContract, after: FunctionContract): readonly Detail[] {
  const details = [
    ...diffIds(before, after),
    ...diffSide(before.input, after.input, 'input', parameterAt),
    ...diffResults(before, after),
    ...(before.chunk && after.chunk ? diffSide(before.chunk, after.chunk, 'output', (path) => at('chunk', path)) : []),
    ...diffErrors(before.errors, after.errors),
    ...diffRest(before, after),
  ];
  return details.length > 0 ? details : [{ text: 'description changed', isBreaking: false }];
}

/** OpenAPI clients and MCP clients know a function by this. */
function diffIds({ operationId: old }: FunctionContract, { operationId: now }: FunctionContract): readonly Detail[] {
  return old === now ? [] : [{ text: `is now ${now} to MCP and OpenAPI clients, was ${old}`, isBreaking: true }];
}

function diffSide(
  before: JsonSchema,
  after: JsonSchema,
  direction: Direction,
  nameOf: (path: string) => string,
): readonly Detail[] {
  return diffSchemas(before, after, direction).map((change: SchemaChange) => ({
    text: `${nameOf(change.path)}${/^(?:added|removed|is|also|may|no|accepts|has) ?/.test(change.text) ? ' ' : ': '}${change.text}`,
    isBreaking: breaks(direction, change),
  }));
}

/** Callers break if less is accepted of them, or if they get what they did not get before. */
function breaks(direction: Direction, { effect }: { readonly effect: Effect }): boolean {
  return effect === 'both' || effect === (direction === 'input' ? 'narrower' : 'wider');
}

const parameterAt = (path: string) => (path === '' ? 'input' : `parameter ${path}`);
const at = (what: string, path: string) =>
  path === '' || path.startsWith('[') || path.startsWith('.') ? what + path : `${what}.${path}`;

function diffResults({ results: before }: FunctionContract, { results: after }: FunctionContract): readonly Detail[] {
  if (before.length !== after.length)
    return [{ text: `returns ${countOf(after)}, was ${countOf(before)}`, isBreaking: before.length > 0 }];
  return before.flatMap((schema, i) =>
    diffSide(schema, after[i]!, 'output', (path) => at(before.length === 1 ? 'result' : `result${i}`, path)),
  );
}

const countOf = ({ length }: readonly unknown[]) => ['nothing', 'a value'][length] ?? `${length} values`;

/** A caller does not know what a new code means, and may wait for one that is gone. */
function diffErrors(before: readonly string[], after: readonly string[]): readonly Detail[] {
  const isNew = (code: string) => !before.includes(code);
  const isGone = (code: string) => !after.includes(code);
  return [
    ...after.filter(isNew).map((code) => ({ text: `error ${code} added`, isBreaking: true })),
    ...before.filter(isGone).map((code) => ({ text: `error ${code} removed`, isBreaking: true })),
  ];
}

function diffRest(before: FunctionContract, after: FunctionContract): readonly Detail[] {
  const isDifferent = (key: keyof FunctionContract) =>
    canonicalJson(before[key] ?? null) !== canonicalJson(after[key] ?? null);
  return [
    ...(isDifferent('task')
      ? [
          {
            text: `task is now ${after.task}, was ${before.task}`,
            isBreaking: after.task === 'always' || before.task === 'always',
          },
        ]
      : []),
    ...(isDifferent('http')
      ? [{ text: 'HTTP method or path changed', isBreaking: Object.keys(before.http).length > 0 }]
      : []),
    ...(isDifferent('hints') ? [{ text: 'hints changed', isBreaking: false }] : []),
    ...(!before.chunk !== !after.chunk
      ? [{ text: after.chunk ? 'describes its chunks' : 'no longer describes its chunks', isBreaking: !after.chunk }]
      : []),
  ];
}
