import { isRecord } from '../schema/json-schema.ts';
import { summarize } from '../schema/problem.ts';
import { readSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';
import { toJson } from '../schema/to-json.ts';
import { profileNames } from './profiles/profile.ts';
import type { Described, Profile, ProfileName } from './profiles/profile.ts';
import { schemaCheck } from './rules/matches.ts';
import type { About, Rule } from './rules/rule.ts';
import { rules } from './rules/rules.ts';

/** One way in which a body breaks its profile. */
export interface Violation {
  /** The rule's id, such as `envelope.content`. */
  readonly rule: string;
  /** JSON pointer to the place; empty for the body itself. */
  readonly pointer: string;
  /** What is wrong, and what must hold. */
  readonly message: string;
}

export interface CheckOptions {
  /** `envelope` unless given. */
  readonly profile?: ProfileName;
  /** The function that answered, such as `app.find('Add')`: its results are checked too. */
  readonly function?: Described | undefined;
  /** What a tool written by hand returns: of any library that functions may use. */
  readonly outputSchema?: Schema | undefined;
  /** Rules that are not to be kept, by their ids. */
  readonly ignore?: readonly string[] | undefined;
  /** The profile whose body a tool's result carries; the plain one unless given. */
  readonly inner?: Profile | undefined;
}

/** A body may be deeper than the data in it, and an app may allow its data to be deep. */
const MOST_LEVELS = 1000;

/** Every way in which a body breaks the rules of its profile. Never throws, whatever the body is. */
export function checkResponse(body: unknown, options: CheckOptions = {}): readonly Violation[] {
  const { profile = 'envelope', function: fn, inner, outputSchema, ignore = [] } = options;
  const about: About = { function: fn, inner, outputSchema: outputSchema && readSchema(outputSchema, 'output').json };
  const carried = body === undefined ? { value: null } : toJson(body, MOST_LEVELS);
  const [isObject, ...others] = rulesOf(profile);
  if (carried.problem) return [violation(isObject, carried.problem)];
  // As it would arrive: a field that is undefined is not there.
  const value = JSON.parse(JSON.stringify(carried.value ?? null)) as unknown;
  if (!isRecord(value)) return findIn(isObject, value as never, about);
  return others.filter(({ id }) => !ignore.includes(id)).flatMap((rule) => findIn(rule, value, about));
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

function rulesOf(profile: ProfileName): readonly [Rule, ...Rule[]] {
  const found = byProfile.get(profile);
  if (!found) throw new TypeError(`There is no profile ${JSON.stringify(profile)}, only ${profileNames.join(', ')}`);
  return found;
}

function findIn(rule: Rule, body: Record<string, unknown>, about: About): readonly Violation[] {
  const { holds } = rule;
  const problems = typeof holds === 'function' ? holds(body, about) : (schemaCheck(holds)(body) ?? []);
  return problems.map((problem) => violation(rule, problem));
}

function violation({ id, sentence }: Rule, problem: { readonly pointer: string; readonly message: string }): Violation {
  return { rule: id, pointer: problem.pointer, message: `${problem.message} (${sentence})` };
}
