import { createAccess } from '../access/create-access.ts';
import type { AuditRecord } from '../audit/record.ts';
import { Lifecycle } from '../core/lifecycle.ts';
import type { Middleware } from '../core/middleware.ts';
import { createPipeline } from '../core/pipeline.ts';
import { isDebugging } from '../core/call-event.ts';
import type { CallEvent } from '../core/call-event.ts';
import { createChanges } from '../core/changes.ts';
import type { FunctionDefinition } from '../core/function.ts';
import { consoleLog, reliableLog } from '../core/log.ts';
import { AppError } from './app-error.ts';
import { createObservers } from '../core/observers.ts';
import { Gate } from '../core/gate.ts';
import { once } from '../core/once.ts';
import { createOperations } from '../core/operations.ts';
import type { PromptDefinition } from '../core/prompt.ts';
import type { ResourceDefinition } from '../core/resource.ts';
import type { Registry } from '../core/registry.ts';
import { createReport } from '../core/report.ts';
import { AppVariables } from '../core/variables.ts';
import { createEnvironment } from '../env/environment.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import { createGuard } from '../responses/guard.ts';
import { reliableClock } from '../core/clock.ts';
import { createProfiles } from '../responses/profiles/profiles.ts';
import type { App, AppOptions, CallOptions } from './app.ts';
import { createAppShare } from './app-share.ts';
import { createAppStore } from './app-store.ts';
import type { RequiredOptions, Satisfied } from './app-needs.ts';
import { createCallHere } from './call-here.ts';
import { createCheckedRenderer } from './checked-answer.ts';
import { createChangeRelay } from './change-relay.ts';
import { checkEnvironment } from './check-embed-options.ts';
import { defaultErrors } from './default-errors.ts';
import { APP } from './is-app.ts';
import { createNestedCalls } from './nested-calls.ts';
import { readOptions } from './read-options.ts';
import { createLazyRates } from './rates.ts';
import { createResponder } from './respond.ts';
import { streamCall } from './stream-call.ts';
import { createLazyTasks } from './tasks.ts';
import type { FindFunction } from '../tasks/task-runner.ts';

/** The options of `createApp`, with the types of its parts. */
interface NewApp<
  Functions extends readonly FunctionDefinition[],
  Layers extends readonly unknown[],
  Resources extends readonly unknown[],
  Prompts extends readonly unknown[],
  Deps extends object,
> extends Omit<AppOptions<Functions, Deps>, 'functions' | 'middleware' | 'resources' | 'prompts'> {
  readonly functions: Functions & Satisfied<(Functions | Resources | Prompts)[number], Deps, Layers>;
  readonly middleware?: Layers;
  readonly resources?: Resources;
  readonly prompts?: Prompts;
}

/** Creates an app, or throws an AppError that lists every mistake in the definitions and options. */
export function createApp<
  const Functions extends readonly FunctionDefinition[],
  const Layers extends readonly Middleware<any, any>[],
  const Resources extends readonly ResourceDefinition[],
  const Prompts extends readonly PromptDefinition[],
  // Before `start` is looked at, TypeScript compares with the default.
  Deps extends object = any,
>(
  options: NewApp<Functions, Layers, Resources, Prompts, Deps> &
    RequiredOptions<(Functions | Resources | Prompts)[number]>,
): App<Functions> {
  return createFrom(options as never) as never;
}

function createFrom(options: AppOptions): App {
  if (typeof options !== 'object' || options === null)
    throw new AppError(undefined, ['createApp needs an object: createApp({ name, version, functions })']);
  const { name, version } = options;
  const log = reliableLog(options.log ?? consoleLog);
  const { limits, registry, resources, prompts, reading } = readOptions(options, log);
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
  const variables = new AppVariables(name, options.env ?? {}, log);
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
    find: findTask,
  });
  const lifecycle = new Lifecycle({
    start: options.start,
    // Whoever serves the app must close it, if it has tasks.
    stop: options.stop ?? (tasks.isUsed ? () => {} : undefined),
    drain: limits.drain,
    log,
    report,
    variables,
  });
  const callNested = createNestedCalls(registry, (...call) => callHere(...call));
  const createGate = () => {
    const gate = new Gate(limits.concurrent, limits.queued);
    lifecycle.watch(gate);
    return gate;
  };
  const responder = (served: Registry, gate: Gate) => {
    const dispatch = createPipeline({
      limits,
      middleware,
      log,
      environment,
      report,
      events,
      lifecycle,
      callNested,
      variables,
      access,
      rates,
      tasks,
      gate,
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
  const gate = createGate();
  const respond = responder(registry, gate);
  const callHere = createCallHere(registry, respond, limits.depth);
  const operations = once(() => {
    const served = createOperations(resources, prompts, reading, access, tasks.load);
    // Those about tasks have their own gate: a task can be cancelled also while as many calls run as may.
    const [about, others] = [responder(served, createGate()), responder(served, gate)];
    return (...[call, ...more]: Parameters<typeof respond>) =>
      (served.find(call.name)?.kind === 'task' ? about : others)(call, ...more);
  });

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
    resources: { ...resources, respond: responder(resources, gate) },
    prompts: { ...prompts, respond: responder(prompts, gate) },
    operations: { respond: (...parameters) => operations()(...parameters) },
    changes: createChanges((thrown) => report.thrown(thrown, { part: 'changes' }), createChangeRelay(share)),
    async refuseUpload(call, fn) {
      const admitted = access ? await access.admit(call, fn) : call.principal;
      return admitted && 'ok' in admitted ? admitted : rates?.take(call, fn, admitted);
    },
    reportError: report.thrown,
    secret: options.secret,
    variables,
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

  function findTask(functionName: string): ReturnType<FindFunction> {
    const fn = registry.find(functionName);
    return fn && (async (call) => (await respond({ ...call, fn })).outcome);
  }
}
