import { NO_BYTES, type Answer, type AppName, type Behaviour } from '../every-wire.ts';
import type { PromiseId } from '../promises.ts';

interface Call extends Partial<Pick<Behaviour, 'answer' | 'except' | 'profile'>> {
  /** The arguments, if there are any. */
  readonly given?: unknown;
  /** Instead of arguments: what is sent as it is. */
  readonly body?: string | Uint8Array;
  /** Short for an answer: what the function returns, or what is wrong with the arguments. */
  readonly result?: unknown;
  readonly problems?: string;
}

/** Behaviours of the functions of an app. */
export const on =
  (app: AppName) =>
  (title: string, proves: PromiseId | readonly PromiseId[], fn: string, call: Call): Behaviour => {
    const { given, body, result, problems, ...rest } = call;
    const send = body === undefined ? { send: { arguments: given } } : { send: { body }, except: NO_BYTES };
    const answer = problems === undefined ? answers({ result }) : invalidArguments(problems);
    return { title, proves: [proves].flat(), app, function: fn, ...send, answer, ...rest };
  };

/** Functions of the hostile app that are called without arguments. */
export const onHostile = (
  prefix: string,
  rows: readonly (readonly [title: string, proves: PromiseId, fn: string, answer: Answer])[],
): readonly Behaviour[] =>
  rows.map(([title, promise, fn, answer]) => on('hostile')(`${prefix} ${title}`, promise, fn, { answer }));

export const answers = (body: object): Answer => ({ body: JSON.stringify(body), status: 200, exit: 0 });

export const failure =
  (code: string, status: number, exit: number) =>
  (error: string): Answer => ({ body: JSON.stringify({ error }), status, exit, code });

const invalidArguments = (problems: string): Answer =>
  failure('INVALID_ARGUMENTS', 400, 2)(`Invalid arguments: ${problems}`);
export const invalidOutput = (problems: string): Answer =>
  failure('INVALID_OUTPUT', 500, 70)(`Invalid output: ${problems}`);
export const internalError = failure('INTERNAL_ERROR', 500, 70);
export const invalidJson = failure('INVALID_JSON', 400, 2)('Invalid JSON body');
export const timedOut = failure('TIMEOUT', 504, 124)('Timed out after 50 ms');
export const functionNotFound = (name: string): Answer => ({
  ...failure('FUNCTION_NOT_FOUND', 404, 127)(`Function not found: ${name}`),
  mcp: -32602,
});
