import type { AuditOptions } from '../audit/record.ts';
import { createPipeline } from '../core/call.ts';
import type { Middleware } from '../core/call.ts';
import { createChanges } from '../core/changes.ts';
import type { Changes } from '../core/changes.ts';
import type { Code } from '../core/codes.ts';
import { createPrompts, createResources } from '../core/collections.ts';
import type { Prompts, Resources } from '../core/collections.ts';
import type { Log, Progress } from '../core/context.ts';
import type { FunctionDefinition } from '../core/function.ts';
import { limitsFrom } from '../core/limits.ts';
import type { Limits } from '../core/limits.ts';
import { consoleLog, reliableLog } from '../core/log.ts';
import type { NamePolicy } from '../core/names.ts';
import { once } from '../core/once.ts';
import { createOperations } from '../core/operations.ts';
import type { PromptDefinition } from '../core/prompt.ts';
import { success } from '../core/outcome.ts';
import type { Outcome } from '../core/outcome.ts';
import { createRegistry, isText } from '../core/registry.ts';
import type { Registry } from '../core/registry.ts';
import { createReport } from '../core/report.ts';
import type { Report } from '../core/report.ts';
import type { ResourceDefinition } from '../core/resource.ts';
import { createEnvironment } from '../env/environment.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import { createGuard, guardModes } from '../responses/guard.ts';
import type { GuardMode } from '../responses/guard.ts';
import { profileNames, reliableClock } from '../responses/profiles/profile.ts';
import type { Clock, Profile, ProfileName } from '../responses/profiles/profile.ts';
import { createProfiles } from '../responses/profiles/profiles.ts';
import type { Profiles } from '../responses/profiles/profiles.ts';
import { createResponder, THIS_PROCESS } from './respond.ts';
import type { Respond } from './respond.ts';
import { toJson } from '../schema/to-json.ts';

export interface AppOptions<Functions extends readonly FunctionDefinition[] = readonly FunctionDefinition[]> {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly functions: Functions;
  /** What can be read: documents, files, records. */
  readonly resources?: readonly ResourceDefinition[];
  /** Conversations to begin with. */
  readonly prompts?: readonly PromptDefinition[];
  readonly license?: License;
  /** What the functions' tags mean. */
  readonly tags?: { readonly [tag: string]: string };
  /** `spec` (default): `functions.Add`. `portable`: `functions_Add`. */
  readonly names?: NamePolicy;
  /** Around everything that a caller can reach, outermost first. */
  readonly middleware?: readonly Middleware[];
  /** Refuse arguments that a schema does not name, instead of dropping them. */
  readonly strict?: boolean;
  /** `false`: take arguments as they come, without repair. */
  readonly coerce?: boolean;
  /** `masked` hides the messages of unexpected errors; the default when NODE_ENV is production. */
  readonly errors?: 'shown' | 'masked';
  readonly limits?: Partial<Limits>;
  readonly log?: Log;
  /** How bodies look unless a caller asks for another profile; `plain` if not given. */
  readonly profile?: ProfileName;
  /** Check every body against the rules of its profile before it is sent. */
  readonly check?: GuardMode;
  /** One record of every call. */
  readonly audit?: AuditOptions;
  /** Where envelopes get their timestamp. */
  readonly clock?: Clock;
  /** Signs what a caller keeps for us between questions; to be shared by all processes that serve the app. */
  readonly secret?: string;
}

export interface License {
  readonly name: string;
  readonly url?: string;
  /** An SPDX expression, such as `MIT`. */
  readonly identifier?: string;
}

export interface CallOptions extends EnvironmentOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds to wait, if less than the function's own timeout. */
  readonly timeout?: number;
  readonly onProgress?: (progress: Progress) => void;
}

/** A registry with its policy: what every wire is given. */
export interface App<Functions extends readonly FunctionDefinition[] = readonly FunctionDefinition[]> extends Registry {
  readonly name: string;
  readonly version: string;
  readonly description: string | undefined;
  readonly license: License | undefined;
  readonly tags: { readonly [tag: string]: string };
  /** How bodies look unless a caller asks for another. */
  readonly profile: Profile;
  readonly profiles: Profiles;
  readonly limits: Limits;
  /** Whether callers are shown the messages of unexpected errors. */
  readonly errors: 'shown' | 'masked';
  /** From a decoded request to a body. Wires use this. */
  readonly respond: Respond;
  readonly resources: Resources & { readonly respond: Respond };
  readonly prompts: Prompts & { readonly respond: Respond };
  /** The list of resources, and suggestions for arguments: calls like any other. */
  readonly operations: { readonly respond: Respond };
  /** Tells clients that something is another now. */
  readonly changes: Changes;
  readonly secret: string | undefined;
  /** What a wire answers when something is wrong with the wire itself: logs it, with its stack. */
  readonly fault: Report['thrown'];
  /** Calls a function in this process, exactly as a wire would. An app whose functions are not known takes any name. */
  call<Name extends NameIn<Functions>>(
    name: Name,
    ...rest: Rest<InputOf<Functions, Name>, CallOptions>
  ): Promise<Outcome<OutputOf<Functions, Name>, ErrorCodeOf<Functions, Name>>>;
  /** Answers a web-standard request, in any runtime that has them. */
  fetch(request: Request): Promise<Response>;
  /** Acts as a command of its own: `await app.run(process.argv)`. A call ends the process once its answer is out. */
  run(argv: readonly string[]): Promise<void>;
  /** Types only, for clients; never there at run time. */
  readonly '~functions'?: Functions;
}

/** What the types of a call are read from: less than a definition, so that any copy of this package may have made it. */
export interface TypedFunction {
  readonly name: string;
  readonly '~types'?: { readonly input: any; readonly output: unknown; readonly errorCode: string };
}

/** Arguments may be left out where the function needs none. */
export type Rest<Input, Options> = undefined extends Input
  ? [input?: Input, options?: Options]
  : {} extends Input
    ? [input?: Input, options?: Options]
    : [input: Input, options?: Options];

export type NameIn<F extends readonly TypedFunction[]> = F[number]['name'];
type Named<F extends readonly TypedFunction[], Name> = string extends F[number]['name']
  ? F[number]
  : Extract<F[number], { readonly name: Name }>;
type TypesOf<F extends readonly TypedFunction[], Name> = NonNullable<Named<F, Name>['~types']>;
export type InputOf<F extends readonly TypedFunction[], Name> = TypesOf<F, Name>['input'];
export type OutputOf<F extends readonly TypedFunction[], Name> = TypesOf<F, Name>['output'];
/** The codes a function declares, and those that any call may end with. */
export type ErrorCodeOf<F extends readonly TypedFunction[], Name> = TypesOf<F, Name>['errorCode'] | Code;

/** Everything that is wrong with an app, in one message. */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    app: string,
    readonly problems: readonly string[],
  ) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    super(`${count} in app "${app}":\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

// The command recognises an app by this, whichever copy of the package made it.
const APP: unique symbol = Symbol.for('everywire.app') as never;

export function isApp(value: unknown): value is App {
  return typeof value === 'object' && value !== null && APP in value;
}

/** Builds an app, or throws one AppError that lists every mistake in it. */
export function createApp<const Functions extends readonly FunctionDefinition[]>(
  options: AppOptions<Functions>,
): App<Functions> {
  const { name, version, functions, strict = false, coerce = true, names = 'spec' } = options;
  const problems: string[] = [];
  const limits = limitsFrom(options.limits ?? {}, problems);
  const log = reliableLog(options.log ?? consoleLog);
  if (!isText(name)) problems.push('the app has no name');
  if (!isText(version)) problems.push('the app has no version');
  problems.push(...problemsInOptions(options));
  const policy = { names: names === 'portable' ? names : 'spec', strict, coerce, limits, log } as const;
  const registry = createRegistry(Array.isArray(functions) ? functions : [], policy, problems);
  const resources = createResources(options.resources ?? [], policy, problems);
  const prompts = createPrompts(options.prompts ?? [], policy, problems);
  if (problems.length > 0) throw new AppError(name, problems);

  const errors = options.errors ?? defaultErrors();
  const report = createReport(log, errors === 'masked');
  const middleware = options.middleware ?? [];
  const clock = options.clock && reliableClock(options.clock, (thrown) => report.thrown(thrown, { part: 'clock' }));
  const profiles = createProfiles(clock);
  const guard = options.check && createGuard(options.check, clock);
  const environment = createEnvironment({});
  const responder = (of: Registry) => {
    const dispatch = createPipeline({ registry: of, limits, middleware, log, environment, report });
    return createResponder({ registry: of, dispatch, profiles, guard, report, audit: options.audit });
  };
  const respond = responder(registry);
  const operations = once(() => responder(createOperations(resources, prompts, policy)));

  const app: App = {
    ...registry,
    name,
    version,
    description: options.description,
    license: options.license,
    tags: options.tags ?? {},
    profile: profiles[options.profile ?? 'plain'],
    profiles,
    limits,
    errors,
    respond,
    resources: { ...resources, respond: responder(resources) },
    prompts: { ...prompts, respond: responder(prompts) },
    operations: { respond: (...asked) => operations()(...asked) },
    changes: createChanges((thrown) => report.thrown(thrown, { part: 'changes' })),
    fault: report.thrown,
    secret: options.secret,
    call: async (functionName: string, input?: unknown, callOptions?: CallOptions) => {
      const fn = registry.find(functionName);
      const { outcome } = await respond({
        ...(callOptions && withEnvironment(callOptions)),
        name: functionName,
        input: fn?.takesForms ? toWire(input, limits.depth) : input,
        caller: THIS_PROCESS,
      });
      return outcome.ok && fn?.revive ? success(fn.revive(outcome.data), outcome.content) : outcome;
    },
    fetch: async (request) => (await fetchHandler()).handle(request),
    run: async (argv) => (await import('#command')).runApp(app as never, argv),
  };
  const fetchHandler = once(async () => (await import('../hosts/fetch.ts')).createFetchHost(app));
  return Object.freeze(Object.assign(app, { [APP]: true })) as never;
}

function withEnvironment({ env, files, ...rest }: CallOptions) {
  return env || files ? { ...rest, environment: createEnvironment({ env, files }) } : rest;
}

/** A caller in this process gives a Date; the pipeline takes what a wire would have brought. */
function toWire(input: unknown, depth: number): unknown {
  const carried = toJson(input, depth);
  return carried.problem ? input : carried.value;
}

/** What TypeScript would have refused, for those who write JavaScript. */
function problemsInOptions(options: AppOptions): string[] {
  const {
    functions,
    names = 'spec',
    errors = 'shown',
    middleware = [],
    profile = 'plain',
    check = 'observe',
  } = options;
  const problems: string[] = [];
  if (!Array.isArray(functions)) problems.push('functions must be a list');
  const oneOf = (option: string, value: unknown, allowed: readonly unknown[]) => {
    const listed = allowed.map((name) => JSON.stringify(name)).join(' or ');
    if (!allowed.includes(value)) problems.push(`${option} must be ${listed}, not ${JSON.stringify(value)}`);
  };
  oneOf('names', names, ['spec', 'portable']);
  oneOf('errors', errors, ['shown', 'masked']);
  oneOf('profile', profile, profileNames);
  oneOf('check', check, guardModes);
  if (!Array.isArray(middleware) || middleware.some((layer) => typeof layer !== 'function')) {
    problems.push('middleware must be a list of functions');
  }
  const sinks = options.audit === undefined ? [] : [options.audit.to].flat();
  if (sinks.some((sink) => typeof sink !== 'function' && typeof sink?.begin !== 'function')) {
    problems.push('audit.to must be a sink, such as auditConsole() or a function, or a list of them');
  }
  if (options.secret !== undefined && new TextEncoder().encode(options.secret).length < 32) {
    problems.push('secret must be a text of 32 bytes or more');
  }
  if (options.clock !== undefined && typeof options.clock !== 'function') problems.push('clock must be a function');
  if (!isLog(options.log ?? consoleLog)) problems.push('log must have the functions debug, info, warn and error');
  return problems;
}

function isLog(log: Partial<Log>): boolean {
  return (['debug', 'info', 'warn', 'error'] as const).every((level) => typeof log[level] === 'function');
}

function defaultErrors(): 'shown' | 'masked' {
  const host = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return host.process?.env?.['NODE_ENV'] === 'production' ? 'masked' : 'shown';
}
