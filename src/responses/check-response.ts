import { isRecord } from '../schema/json-schema.ts';
import { summarize } from '../schema/problem.ts';
import { readSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';
import { toJson } from '../schema/to-json.ts';
import { profileNames } from './profiles/profile.ts';
import type { Described, Profile, ProfileName } from './profiles/profile.ts';
import { schemaCheck } from './rules/matches.ts';
import type { Rule, RuleContext } from './rules/rule.ts';
import { rules } from './rules/rules.ts';

/** A place where a body breaks a rule of its profile. */
export interface Violation {
  /** The rule's id, such as `envelope.content`. */
  readonly rule: string;
  /** JSON pointer into the body; empty for the body itself. */
  readonly pointer: string;
  /** The problem and the rule. */
  readonly message: string;
}

export interface CheckOptions {
  /** Default: `envelope`. */
  readonly profile?: ProfileName;
  /** The function that was called, such as `app.find('Add')`, to check its results too. */
  readonly function?: Described | undefined;
  /** The output schema of a tool outside everywire, from any supported schema library. */
  readonly outputSchema?: Schema | undefined;
  /** The ids of rules to skip. */
  readonly ignore?: readonly string[] | undefined;
  /** The profile of the body inside a tool result. Default: plain. */
  readonly inner?: Profile | undefined;
}

/** Generous: a body is nested deeper than its data, and an app may raise the limit for its data. */
const MOST_LEVELS = 1000;

/** Finds every place where a body breaks a rule of its profile. Never throws, whatever the body is. */
export function checkResponse(body: unknown, options: CheckOptions = {}): readonly Violation[] {
  const { profile = 'envelope', function: fn, inner, outputSchema, ignore = [] } = options;
  const about: RuleContext = {
    function: fn,
    inner,
    outputSchema: outputSchema && readSchema(outputSchema, 'output').json,
  };
  const json = body === undefined ? { value: null } : toJson(body, MOST_LEVELS);
  const [isObject, ...others] = rulesOf(profile);
  if (json.problem) return [violation(isObject, json.problem)];
  // As clients would receive it: without undefined fields.
  const value = JSON.parse(JSON.stringify(json.value ?? null)) as unknown;
  if (!isRecord(value)) return findIn(isObject, value as never, about);
  return others.filter(({ id }) => !ignore.includes(id)).flatMap((rule) => findIn(rule, value, about));
}

/** Returns the body, or throws an error that lists every violation. */
export function assertResponse<T>(body: T, options: CheckOptions = {}): T {
  const violations = checkResponse(body, options);
  if (violations.length > 0) throw new ResponseFormatError(violations);
  return body;
}

export class ResponseFormatError extends Error {
  override readonly name = 'ResponseFormatError';
  readonly code = 'INVALID_RESPONSE_FORMAT';

  constructor(readonly violations: readonly Violation[]) {
    super(messageFor(violations));
  }
}

/** One message for all violations. */
export function messageFor(violations: readonly Violation[]): string {
  return `Invalid response format: ${summarize(violations)}`;
}

const byProfile = new Map(
  profileNames.map((name) => [name, rules.filter(({ profile }) => profile === name) as [Rule, ...Rule[]]]),
);

function rulesOf(profile: ProfileName): readonly [Rule, ...Rule[]] {
  const found = byProfile.get(profile);
  if (!found) throw new TypeError(`Unknown profile ${JSON.stringify(profile)}; available: ${profileNames.join(', ')}`);
  return found;
}

function findIn(rule: Rule, body: Record<string, unknown>, about: RuleContext): readonly Violation[] {
  const { holds } = rule;
  const problems = typeof holds === 'function' ? holds(body, about) : (schemaCheck(holds)(body) ?? []);
  return problems.map((problem) => violation(rule, problem));
}

function violation({ id, sentence }: Rule, problem: { readonly pointer: string; readonly message: string }): Violation {
  return { rule: id, pointer: problem.pointer, message: `${problem.message} (${sentence})` };
}
