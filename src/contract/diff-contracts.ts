import { canonicalJson } from '../schema/canonical-json.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { ContractChange, Effect } from './change.ts';
import type { Contract, FunctionContract, PromptContract, ResourceContract, ScopesContract } from './contract.ts';
import { diffSchemas } from './diff-schemas.ts';
import type { Direction, SchemaChange } from './diff-schemas.ts';

/** What has changed for callers of an app: first functions that are new or gone, then what is different in the others. */
export function diffContracts(before: Contract, after: Contract): readonly ContractChange[] {
  return [
    ...diffNamed(before.functions, after.functions, ({ name }) => name, diffFunction),
    ...diffNamed(before.prompts, after.prompts, ({ name }) => `prompt ${name}`, diffPrompt),
    ...diffNamed(before.resources, after.resources, ({ name }) => `resource ${name}`, diffResource),
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

function diffPrompt(before: PromptContract, after: PromptContract): readonly Detail[] {
  return orDescription(diffSide(before.input, after.input, 'input', parameterAt));
}

function diffResource(before: ResourceContract, after: ResourceContract): readonly Detail[] {
  return orDescription([
    ...(before.uri === after.uri ? [] : [{ text: `is now at ${after.uri}, was at ${before.uri}`, isBreaking: true }]),
    ...(before.mimeType === after.mimeType
      ? []
      : [
          {
            text: `is now ${after.mimeType ?? 'of any type'}, was ${before.mimeType ?? 'of any type'}`,
            isBreaking: true,
          },
        ]),
  ]);
}

/** Whatever else is different is only read by people and models. */
const orDescription = (details: readonly Detail[]): readonly Detail[] =>
  details.length > 0 ? details : [{ text: 'description changed', isBreaking: false }];

function diffFunction(before: FunctionContract, after: FunctionContract): readonly Detail[] {
  return orDescription([
    ...diffIds(before, after),
    ...diffSide(before.input, after.input, 'input', parameterAt),
    ...diffResults(before, after),
    ...(before.chunk && after.chunk ? diffSide(before.chunk, after.chunk, 'output', (path) => at('chunk', path)) : []),
    ...diffErrors(before.errors, after.errors),
    ...diffScopes(before.scopes, after.scopes),
    ...diffRest(before, after),
  ]);
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
    text: `${nameOf(change.path)}${/^(?:added|removed|changed|is|also|may|no|accepts|has)\b/.test(change.text) ? ' ' : ': '}${change.text}`,
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

/**
 * Every call may fail with codes that no function declares, so callers have to expect codes that they do not know. But one that
 * is gone is what somebody waits for: what it stood for is now said in another way.
 */
function diffErrors(before: readonly string[], after: readonly string[]): readonly Detail[] {
  const isNew = (code: string) => !before.includes(code);
  const isGone = (code: string) => !after.includes(code);
  return [
    ...after.filter(isNew).map((code) => ({ text: `error ${code} added`, isBreaking: false })),
    ...before.filter(isGone).map((code) => ({ text: `error ${code} removed`, isBreaking: true })),
  ];
}

const isSubset = (some: readonly string[], of: readonly string[]) => some.every((scope) => of.includes(scope));

/** Whoever may call a function now must still be allowed to. */
function diffScopes(before: ScopesContract, after: ScopesContract): readonly Detail[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  if (after === 'public') return [{ text: 'may now be called by everybody', isBreaking: false }];
  if (after === 'by arguments') return [{ text: 'scopes now depend on the arguments', isBreaking: true }];
  const old = typeof before === 'string' ? [] : before;
  const isBreaking = typeof before === 'string' || !isSubset(after, old);
  if (!isBreaking && isSubset(old, after)) return []; // in another order
  const needed = after.length === 0 ? 'no scope, but a known caller' : `scope ${after.join(' and ')}`;
  const needs = typeof before === 'string' ? before : old.join(' and ') || 'none';
  return [{ text: `needs ${needed}, was ${needs}`, isBreaking }];
}

/** Only the possibility of a task takes nothing from anybody. */
const addsTasks = (before: FunctionContract, after: FunctionContract) =>
  before.task === 'never' && after.task === 'allowed';

/** A function can always be called with POST by its name. What is possible in addition may be in use. */
function losesRoute({ http: before }: FunctionContract, { http: after }: FunctionContract): boolean {
  if (before.path === undefined) return before.method === 'GET' && after.method !== 'GET';
  return before.path !== after.path || before.method !== after.method;
}

function diffRest(before: FunctionContract, after: FunctionContract): readonly Detail[] {
  const isDifferent = (key: keyof FunctionContract) =>
    canonicalJson(before[key] ?? null) !== canonicalJson(after[key] ?? null);
  return [
    ...(isDifferent('task')
      ? [{ text: `task is now ${after.task}, was ${before.task}`, isBreaking: !addsTasks(before, after) }]
      : []),
    ...(isDifferent('http')
      ? [{ text: 'HTTP method, path or caching changed', isBreaking: losesRoute(before, after) }]
      : []),
    ...(isDifferent('strict')
      ? [{ text: `${after.strict ? 'refuses' : 'drops'} unknown arguments`, isBreaking: after.strict === true }]
      : []),
    ...(isDifferent('coerce')
      ? [{ text: `${after.coerce ? 'converts' : 'no longer converts'} texts`, isBreaking: after.coerce === false }]
      : []),
    ...(isDifferent('hints') ? [{ text: 'hints changed', isBreaking: false }] : []),
    ...(!before.chunk !== !after.chunk
      ? [{ text: after.chunk ? 'describes its chunks' : 'no longer describes its chunks', isBreaking: !after.chunk }]
      : []),
  ];
}
