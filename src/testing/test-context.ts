import { createApp } from '../app/create-app.ts';
import { createNestedCalls } from '../app/nested-calls.ts';
import { THIS_PROCESS } from '../app/respond.ts';
import { createContext } from '../core/call-context.ts';
import { CallState } from '../core/call-state.ts';
import type { Caller, Context, Log, LogFields, Progress } from '../core/context.ts';
import type { FunctionDefinition } from '../core/function.ts';
import { Lifecycle } from '../core/lifecycle.ts';
import { limitsFrom } from '../core/limits.ts';
import type { CallNested } from '../core/nested-calls.ts';
import { toPrincipal } from '../core/principal.ts';
import type { PrincipalOptions } from '../core/principal.ts';
import { createReport } from '../core/report.ts';
import { cancelled } from '../core/time-limit.ts';
import { unknownOptions } from '../core/unknown-options.ts';
import type { Known } from '../core/unknown-options.ts';
import { AppVariables } from '../core/variables.ts';
import { createEnvironment } from '../env/environment.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import type { ContentBlock } from '../schema/content-blocks.ts';
import { answering } from './answering.ts';
import type { TestAnswer } from './answering.ts';

export type { TestAnswer } from './answering.ts';

export interface TestContextOptions<Deps extends object = {}, Values extends object = {}> extends EnvironmentOptions {
  /** What the app's `start` returns. */
  readonly deps?: Deps;
  /** What middleware passes to `next`. */
  readonly values?: Values;
  readonly operationId?: string;
  readonly caller?: Partial<Caller>;
  /** Who calls; nobody known by default. */
  readonly principal?: PrincipalOptions;
  readonly signal?: AbortSignal;
  readonly deadline?: number;
  /** What `ask` and `request` return, in order. Without any, the caller cannot be asked. */
  readonly answers?: readonly TestAnswer[];
  /** Functions that `call` calls for real, with the same deps and values. */
  readonly functions?: readonly FunctionDefinition[];
  /** Stand-ins for functions that `call` calls, by name. */
  readonly calls?: { readonly [name: string]: (input: any) => unknown };
}

/** A context that records what a function does with it. */
export interface TestContext<Deps extends object = {}, Values extends object = {}> extends Context<Deps, Values> {
  readonly progressReports: readonly Progress[];
  /** The content that was attached. */
  readonly attached: readonly ContentBlock[];
  readonly logged: readonly LogEntry[];
}

export interface LogEntry {
  readonly level: keyof Log;
  readonly message: string;
  readonly fields?: LogFields;
}

const OPTIONS = {
  deps: true,
  values: true,
  env: true,
  files: true,
  operationId: true,
  caller: true,
  principal: true,
  signal: true,
  deadline: true,
  answers: true,
  functions: true,
  calls: true,
} satisfies Known<TestContextOptions>;

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** `deps` and `values` are required if the function under test needs any. */
type Required<Deps extends object, Values extends object> = TestContextOptions<Deps, Values> &
  ({} extends Deps ? unknown : { readonly deps: Deps }) &
  ({} extends Values ? unknown : { readonly values: Values });

/** A context for unit tests of `run`: `await order.run({ sku: 'tea' }, createTestContext({ deps }))`. */
export function createTestContext(): TestContext;
export function createTestContext<Deps extends object = {}, Values extends object = {}>(
  options: Required<Deps, Values>,
): TestContext<Deps, Values>;
export function createTestContext(options: TestContextOptions = {}): TestContext {
  const problems = unknownOptions(options, OPTIONS);
  if (problems.length > 0) throw new TypeError(`createTestContext: ${problems.join('; ')}`);
  const { deps = {}, values = {}, operationId = 'functions.Test', caller, signal, deadline, answers = [] } = options;
  const progressReports: Progress[] = [];
  const logged: LogEntry[] = [];
  const limits = limitsFrom({}, []);
  const variables = new AppVariables('Test', {}, silent);
  const report = createReport(silent, false);
  const lifecycle = new Lifecycle({ drain: limits.drain, log: silent, report, variables });
  lifecycle.deps = deps;
  const state = new CallState({
    operationId,
    call: {
      name: operationId,
      fn: undefined,
      caller: { ...THIS_PROCESS, ...caller },
      asker: answering(answers),
      onProgress: (progress) => void progressReports.push(progress),
      onLog: (level, message, fields) => void logged.push({ level, message, ...(fields && { fields: { ...fields } }) }),
    },
    principal: options.principal && toPrincipal(options.principal, 'local'),
    environment: createEnvironment(options),
    repairs: [],
    deadline,
    app: { log: silent, limits, lifecycle, callNested: nestedCalls(options), variables },
  });
  const abort = () => state.end(cancelled(), 'The client disconnected');
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  const context = createContext(state, Object.freeze({ ...values }));
  Object.defineProperties(context, {
    progressReports: { value: progressReports, enumerable: true },
    logged: { value: logged, enumerable: true },
    attached: { get: () => state.attached ?? [], enumerable: true },
  });
  return context as TestContext;
}

function nestedCalls({ deps = {}, values = {}, functions = [], calls = {} }: TestContextOptions): CallNested {
  const app = createApp({
    name: 'Test',
    version: '0',
    functions,
    middleware: [(_call, next) => next(values)],
    start: () => deps,
    log: silent,
    errors: 'shown',
  });
  const callReal = createNestedCalls(app, (name, input, parts) => app.call(name, input, parts as never));
  return async (outer, target, input) => {
    const name = typeof target === 'string' ? target : target.name;
    if (Object.hasOwn(calls, name)) return calls[name]!(input);
    if (app.find(name)) return callReal(outer, target, input);
    throw new Error(`createTestContext: ${name} is called; add it to functions, or a stand-in to calls`);
  };
}
