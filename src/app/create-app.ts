import { createAccess } from '../access/create-access.ts';
import type { AuditRecord } from '../audit/record.ts';
import type { Call } from '../core/call.ts';
import { Lifecycle } from '../core/lifecycle.ts';
import type { Middleware } from '../core/middleware.ts';
import { createPipeline } from '../core/pipeline.ts';
import { isDebugging } from '../core/call-event.ts';
import type { CallEvent } from '../core/call-event.ts';
import { createChanges } from '../core/changes.ts';
import { createPrompts } from '../core/prompts.ts';
import { createResources } from '../core/resources.ts';
import type { FunctionDefinition } from '../core/function.ts';
import { limitsFrom } from '../core/limits.ts';
import { consoleLog, reliableLog } from '../core/log.ts';
import { createObservers } from '../core/observers.ts';
import { once } from '../core/once.ts';
import { createOperations } from '../core/operations.ts';
import { success } from '../core/outcome.ts';
import type { Outcome } from '../core/outcome.ts';
import { toPrincipal } from '../core/principal.ts';
import type { PrincipalOptions } from '../core/principal.ts';
import type { PromptDefinition } from '../core/prompt.ts';
import type { ResourceDefinition } from '../core/resource.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import { createRegistry } from '../core/registry.ts';
import type { Registry } from '../core/registry.ts';
import { createReport } from '../core/report.ts';
import { createEnvironment } from '../env/environment.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import { createGuard } from '../responses/guard.ts';
import { reliableClock } from '../core/clock.ts';
import { createProfiles } from '../responses/profiles/profiles.ts';
import { toJson } from '../schema/to-json.ts';
import type { App, AppOptions, CallOptions } from './app.ts';
import { AppError } from './app-error.ts';
import { createAppShare } from './app-share.ts';
import { createAppStore, problemsInStore } from './app-store.ts';
import type { RequiredOptions, Satisfied } from './app-needs.ts';
import { createCheckedRenderer } from './checked-answer.ts';
import { createChangeRelay } from './change-relay.ts';
import { checkEnvironment } from './check-embed-options.ts';
import { problemsInOptions } from './check-options.ts';
import { defaultErrors } from './default-errors.ts';
import { APP } from './is-app.ts';
import { createNestedCalls } from './nested-calls.ts';
import { createLazyRates, problemsInRedis } from './rates.ts';
import { createResponder, THIS_PROCESS } from './respond.ts';
import { streamCall } from './stream-call.ts';
import { createLazyTasks, problemsInTaskKey } from './tasks.ts';

/** Creates an app, or throws an AppError that lists every mistake in the definitions and options. */
export function createApp<
  const Functions extends readonly FunctionDefinition[],
  const Layers extends readonly Middleware<any, any>[],
  const Resources extends readonly ResourceDefinition[],
  const Prompts extends readonly PromptDefinition[],
  // Before `start` is looked at, TypeScript compares with the default.
  Deps extends object = any,
>(
  options: Omit<AppOptions<Functions, Deps>, 'functions' | 'middleware' | 'resources' | 'prompts'> &
    RequiredOptions<(Functions | Resources | Prompts)[number]> & {
      readonly functions: Functions & Satisfied<(Functions | Resources | Prompts)[number], Deps, Layers>;
      readonly middleware?: Layers;
      readonly resources?: Resources;
      readonly prompts?: Prompts;
    },
): App<Functions> {
  return createFrom(options as never) as never;
}

function createFrom(options: AppOptions): App {
  const { name, version, functions, strict = false, coerce = true, names = 'spec' } = options;
  const problems: string[] = [];
  const limits = limitsFrom(options.limits ?? {}, problems);
  const log = reliableLog(options.log ?? consoleLog);
  problems.push(...problemsInOptions(options));
  const readMethod = options.http?.method;
  // Missing descriptions are mistakes, one warning, or nothing.
  const undescribed = options.descriptions === 'required' ? problems : [];
  const policy = {
    names: names === 'portable' ? names : 'spec',
    strict,
    coerce,
    readMethod,
    limits,
    undescribed,
    log,
  } as const;
  const registry = createRegistry(Array.isArray(functions) ? functions : [], policy, problems);
  const resources = createResources(options.resources ?? [], policy, problems);
  const prompts = createPrompts(options.prompts ?? [], policy, problems);
  if (!options.access)
    problems.push(...scopesWithoutAccess([...registry.functions, ...resources.functions, ...prompts.functions]));
  problems.push(...problemsInRedis(options), ...problemsInStore(options));
  if (registry.functions.some(({ task }) => task !== 'never')) problems.push(...problemsInTaskKey());
  if (problems.length > 0) throw new AppError(name, problems);
  if (undescribed.length > 0 && options.descriptions !== 'optional') log.warn(missingDescriptions(name, undescribed));

  const errors = options.errors ?? defaultErrors();
  const report = createReport(log, errors === 'masked');
  const events = createObservers<CallEvent>((thrown) => report.thrown(thrown, { part: 'events' }));
  const records = createObservers<AuditRecord>((thrown) => report.thrown(thrown, { part: 'records' }));
  if (isDebugging()) events.observe(({ step, ...fields }) => log.debug(step, fields));
  const middleware = options.middleware ?? [];
  const clock = options.clock && reliableClock(options.clock, (thrown) => report.thrown(thrown, { part: 'clock' }));
  const profiles = createProfiles(clock);
  const renderChecked = createCheckedRenderer(options.check && createGuard(options.check, clock), report);
  const environment = createEnvironment({});
  const access = options.access && createAccess(options.access, report);
  const store = createAppStore(options);
  const share = createAppShare(name, store, report);
  const rates = createLazyRates(options, store, report);
  const tasks = createLazyTasks({
    app: name,
    functions: registry.functions,
    store,
    limits,
    log,
    report,
    call: runTask,
  });
  const lifecycle = new Lifecycle({
    start: options.start,
    // Whoever serves the app must close it, if it has tasks.
    stop: options.stop ?? (tasks.isUsed ? () => {} : undefined),
    drain: limits.drain,
    log,
    report,
  });
  const callNested = createNestedCalls(registry, (...call) => callHere(...call));
  const responder = (served: Registry) => {
    const dispatch = createPipeline({
      limits,
      middleware,
      log,
      environment,
      report,
      events,
      lifecycle,
      callNested,
      access,
      rates,
      tasks,
    });
    return createResponder({
      registry: served,
      dispatch,
      profiles,
      renderChecked,
      report,
      events,
      records,
      limits,
      audit: options.audit,
    });
  };
  const respond = responder(registry);
  const operations = once(() => responder(createOperations(resources, prompts, policy, access, tasks.load)));

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
    rates: [options.limits?.rate ?? []].flat(),
    errors,
    log,
    events,
    records,
    respond,
    render: (outcome, fn, profile) => renderChecked(outcome, fn, profile).answer,
    resources: { ...resources, respond: responder(resources) },
    prompts: { ...prompts, respond: responder(prompts) },
    operations: { respond: (...parameters) => operations()(...parameters) },
    changes: createChanges((thrown) => report.thrown(thrown, { part: 'changes' }), createChangeRelay(share)),
    reportError: report.thrown,
    secret: options.secret,
    store,
    share,
    tasks,
    access: access && { ...access, options: options.access },
    cors: options.cors,
    console: options.console,
    call: (functionName: string, input?: unknown, callOptions?: CallOptions) =>
      callHere(functionName, input, callOptions),
    stream: (functionName: string, input?: unknown, callOptions?: CallOptions) =>
      streamCall(app, functionName, input, callOptions),
    start: async (given: EnvironmentOptions = {}) => {
      checkEnvironment(given, 'app.start');
      return lifecycle.start(createEnvironment(given));
    },
    close,
    [Symbol.asyncDispose]: async () => void (await close()),
    get needsStop() {
      return lifecycle.hasHooks || share.isSending;
    },
    fetch: async (request: Request, ...given: unknown[]) => (await fetchHandler()).handle(request, ...given),
    run: async (argv) => (await import('#command')).runApp(app as never, argv),
  };
  const fetchHandler = once(async () => (await import('../hosts/fetch.ts')).createFetchHost(app));
  return Object.freeze(Object.assign(app, { [APP]: true }));

  async function close(): Promise<boolean> {
    // Tasks end a little before the app does, so that none is cut off by the author's `stop`.
    const [isClean] = await Promise.all([lifecycle.stop(), tasks.close(limits.drain * 0.8)]);
    rates?.close();
    await share.close();
    return isClean;
  }

  function runTask(call: Omit<Call, 'fn'>): Promise<Outcome> | undefined {
    const fn = registry.find(call.name);
    return fn && Promise.resolve(respond({ ...call, fn })).then(({ outcome }) => outcome);
  }

  async function callHere(functionName: string, input: unknown, given?: CallHere): Promise<Outcome> {
    const fn = registry.find(functionName);
    const { outcome } = await respond({
      caller: THIS_PROCESS,
      ...(given && withEnvironment(given)),
      name: functionName,
      fn,
      input: fn?.hasWireForms ? toWire(input, limits.depth, fn.takesFiles) : input,
      takesFile: fn?.returnsFile && 'memory',
    });
    return outcome.ok && fn?.revive && !outcome.task ? success(fn.revive(outcome.data), outcome.content) : outcome;
  }
}

/** Agents choose tools and arguments by their descriptions, and people read them in help. */
function missingDescriptions(app: string, undescribed: readonly string[]): string {
  const missing = undescribed.map((place) => place.replace(/ has no description$/, ''));
  return `Missing descriptions in app "${app}": ${missing.join('; ')}`;
}

/** Scopes that nobody checks would be worse than none. */
function scopesWithoutAccess(functions: readonly RegisteredFunction[]): string[] {
  return functions
    .filter(({ definition }) => definition.scopes !== undefined)
    .map(({ operationId }) => `${operationId}: scopes need createApp({ access: { … } }), which recognises callers`);
}

/** Of a caller in this process: a program, or another function. */
type CallHere = EnvironmentOptions &
  Partial<Omit<Call, 'principal'>> & { readonly principal?: PrincipalOptions | undefined };

function withEnvironment({ env, files, principal, ...rest }: CallHere) {
  const call: Partial<Call> = principal ? { ...rest, principal: toPrincipal(principal, 'local') } : rest;
  return env || files ? { ...call, environment: createEnvironment({ env, files }) } : call;
}

/** In-process callers may pass a Date; the pipeline expects its wire form. */
function toWire(input: unknown, depth: number, keepsFiles: boolean): unknown {
  const json = toJson(input, depth, keepsFiles);
  return json.problem ? input : json.value;
}
