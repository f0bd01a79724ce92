import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { summarize } from '../schema/problem.ts';
import { toJson } from '../schema/to-json.ts';
import { profileNames } from './profiles/profile.ts';
import type { Described, ProfileName } from './profiles/profile.ts';
import { schemaCheck } from './rules/matches.ts';
import type { About, Rule } from './rules/rule.ts';
import { rules } from './rules/rules.ts';

/** One way in which a body breaks its profile. */
export interface Violation {
  /** The rule's id, such as `envelope.content`. */
  readonly rule: string;
  /** JSON pointer to the place; empty for the body itself. */
  readonly pointer: string;
  /** What must hold, and what is there instead. */
  readonly message: string;
}

export interface CheckOptions {
  /** `envelope` unless given. */
  readonly profile?: ProfileName;
  /** The function that answered, such as `app.find('Add')`: its results are checked too. */
  readonly function?: Described | undefined;
  /** The output schema of an MCP tool written by hand. */
  readonly outputSchema?: JsonSchema | undefined;
}

const DEEPEST = 64;

/** Every way in which a body breaks the rules of its profile. Never throws, whatever the body is. */
export function checkResponse(body: unknown, options: CheckOptions = {}): readonly Violation[] {
  const { profile = 'envelope', ...about } = options;
  const carried = body === undefined ? { value: null } : toJson(body, DEEPEST);
  const [isObject, ...others] = byProfile.get(profile)!;
  if (carried.problem) return [violation(isObject, carried.problem)];
  // As it would arrive: a field that is undefined is not there.
  const value = JSON.parse(JSON.stringify(carried.value ?? null)) as unknown;
  if (!isRecord(value)) return findIn(isObject, value as never, about);
  return others.flatMap((rule) => findIn(rule, value, about));
}

/** The body, or an error that lists everything wrong with it. */
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

/** All violations in one sentence. */
export function messageFor(violations: readonly Violation[]): string {
  return `Invalid response format: ${summarize(violations)}`;
}

const byProfile = new Map(
  profileNames.map((name) => [name, rules.filter(({ profile }) => profile === name) as [Rule, ...Rule[]]]),
);

function findIn(rule: Rule, body: Record<string, unknown>, about: About): readonly Violation[] {
  const { holds } = rule;
  const problems = typeof holds === 'function' ? holds(body, about) : (schemaCheck(holds)(body) ?? []);
  return problems.map((problem) => violation(rule, problem));
}

function violation({ id, sentence }: Rule, problem: { readonly pointer: string; readonly message: string }): Violation {
  return { rule: id, pointer: problem.pointer, message: `${sentence}: ${problem.message}` };
}
