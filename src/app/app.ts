/// <reference lib="esnext.disposable" preserve="true" />
import type { AccessOptions } from '../access/access-options.ts';
import type { Access } from '../core/access.ts';
import type { PrincipalOptions } from '../core/principal.ts';
import type { AuditOptions, AuditRecord } from '../audit/record.ts';
import type { Middleware } from '../core/middleware.ts';
import type { CallEvent } from '../core/call-event.ts';
import type { ThrownOptions } from '../core/codes.ts';
import type { ChunkStream } from '../core/chunk-stream.ts';
import type { Code } from '../core/codes.ts';
import type { Changes } from '../core/changes.ts';
import type { Prompts } from '../core/prompts.ts';
import type { Resources } from '../core/resources.ts';
import type { Log, Progress, StartContext } from '../core/context.ts';
import type { FunctionDefinition } from '../core/function.ts';
import type { LimitOptions, Limits } from '../core/limits.ts';
import type { NamePolicy } from '../core/names.ts';
import type { Observers } from '../core/observers.ts';
import type { Outcome } from '../core/outcome.ts';
import type { PromptDefinition } from '../core/prompt.ts';
import type { Call } from '../core/call.ts';
import type { Failed } from '../core/outcome.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import type { Registry } from '../core/registry.ts';
import type { RateRule } from '../core/rate.ts';
import type { Report } from '../core/report.ts';
import type { AppVariables, DeclaredVariables } from '../core/variables.ts';
import type { ResourceDefinition } from '../core/resource.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import type { GuardMode } from '../responses/guard.ts';
import type { Profile, ProfileName } from '../responses/profiles/profile.ts';
import type { Clock } from '../core/clock.ts';
import type { Profiles } from '../responses/profiles/profiles.ts';
import type { Answer, Respond } from './respond.ts';

import type { AppShare } from './app-share.ts';
import type { AppStore } from './app-store.ts';
import type { EmbedOptions, RuntimeInfo } from './embed-options.ts';
import type { AnyTypes, NameIn, Rest, TypesOf } from './call-types.ts';
import type { CorsOptions } from './cors-options.ts';
import type { AppTasks } from './tasks.ts';

export interface AppOptions<
  Functions extends readonly FunctionDefinition[] = readonly FunctionDefinition[],
  Deps extends object = any,
> {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly functions: Functions;
  /** Readable documents, files and records. */
  readonly resources?: readonly ResourceDefinition[];
  /** Templates for conversations. */
  readonly prompts?: readonly PromptDefinition[];
  readonly license?: License;
  /** Descriptions of the functions' tags. */
  readonly tags?: { readonly [tag: string]: string };
  /** `method: 'GET'`: every function with `hints.readOnly` can be called with GET, unless it says otherwise. */
  readonly http?: { readonly method?: 'GET' };
  /** `spec` (default): `functions.Add`. `portable`: `functions_Add`. */
  readonly names?: NamePolicy;
  /** Wraps functions, resources, prompts and completion; outermost first. */
  readonly middleware?: readonly Middleware<any, any>[];
  /** Runs once, before the first call. What it returns is `context.deps`. */
  readonly start?: (context: StartContext) => Deps | void | Promise<Deps | void>;
  /** Runs once, after the last call. Gets `{}` if `start` failed. */
  readonly stop?: (deps: Partial<Deps>) => unknown;
  /**
   * The variables of `context.env` that the app uses: `{ DB_FILE: 'The database' }`. The app does not start without those that
   * are neither `optional` nor have a `default`.
   */
  readonly env?: DeclaredVariables;
  /** Reject unknown arguments instead of dropping them. */
  readonly strict?: boolean;
  /** A parameter or an output without a description is a warning in the log by default; `required`: a mistake; `optional`: neither. */
  readonly descriptions?: 'required' | 'optional';
  /** `false`: do not repair arguments. */
  readonly coerce?: boolean;
  /** `masked` hides the messages of unexpected errors. It is the default if NODE_ENV is production, and in workers. */
  readonly errors?: 'shown' | 'masked';
  /** Codes and statuses of the app's own error classes. Without it, and without `errors` of a function, they are INTERNAL_ERROR. */
  readonly thrown?: ThrownOptions;
  readonly limits?: LimitOptions;
  /**
   * Where the processes of the app share tasks, counted calls, MCP sessions and notifications: `redis://localhost`, or
   * `postgres://localhost/tasks` for tasks only. By default the variable EVERYWIRE_STORE; without any, each process is on
   * its own.
   */
  readonly store?: string;
  /** Another name of `store`, for Redis only. Beside a store in PostgreSQL: the Redis for all but tasks. Or EVERYWIRE_REDIS. */
  readonly redis?: string;
  readonly log?: Log;
  /** The profile of bodies, unless a caller requests another; `plain` by default. */
  readonly profile?: ProfileName;
  /** Checks every body against the rules of its profile before it is sent. */
  readonly check?: GuardMode;
  /** Where audit records go; one per call. */
  readonly audit?: AuditOptions;
  /** The source of timestamps in envelopes. */
  readonly clock?: Clock;
  /** Pages of other origins that may call over HTTP; none by default. */
  readonly cors?: CorsOptions;
  /**
   * Signs the state that MCP clients keep between elicitation rounds. Must be the same in all processes of the app. Random by
   * default; with a `store` in Redis, the processes agree on one.
   */
  readonly secret?: string;
  /** Who may call what; everybody everything, if it is not set. */
  readonly access?: AccessOptions;
  /** Whether servers on Node show the console, at `/console/`. By default `everywire serve` does, on this machine only. */
  readonly console?: boolean;
}

export interface License {
  readonly name: string;
  readonly url?: string;
  /** An SPDX expression, such as `MIT`. */
  readonly identifier?: string;
}

export interface CallOptions extends EnvironmentOptions {
  readonly signal?: AbortSignal;
  /** Time limit in milliseconds, if shorter than the function's own. */
  readonly timeout?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Who calls; `access.local` of the app by default. */
  readonly principal?: PrincipalOptions;
}

/** What every wire serves. */
export interface App<Functions extends readonly FunctionDefinition[] = readonly FunctionDefinition[]> extends Registry {
  readonly name: string;
  readonly version: string;
  readonly description: string | undefined;
  readonly license: License | undefined;
  readonly tags: { readonly [tag: string]: string };
  /** The profile of bodies, unless a caller requests another. */
  readonly profile: Profile;
  readonly profiles: Profiles;
  readonly limits: Limits;
  /** The rate limits that apply to all calls. */
  readonly rates: readonly RateRule[];
  /** Whether callers see the messages of unexpected errors. */
  readonly errors: 'shown' | 'masked';
  /** Checks, before files are received, who calls and how often: such a call is then `isCounted`. For wires. */
  refuseUpload(call: Call, fn: RegisteredFunction): Promise<Failed | undefined>;
  /** Turns a decoded request into a body. For wires. */
  readonly respond: Respond;
  /** The answer to a call that ended before, such as that of a task: as `respond` would have rendered and checked it. */
  readonly render: (outcome: Outcome, fn: RegisteredFunction | undefined, profile: Profile | undefined) => Answer;
  readonly resources: Resources & { readonly respond: Respond };
  readonly prompts: Prompts & { readonly respond: Respond };
  /** Lists resources, completes arguments, subscribes, and reads, answers and cancels tasks: calls like any other. */
  readonly operations: { readonly respond: Respond };
  /** The app's log, guarded: it never throws. Wires and hosts log through it. */
  readonly log: Log;
  /** The steps of every request, for monitoring; `NODE_DEBUG=everywire` logs them. */
  readonly events: Observers<CallEvent>;
  /** The audit records of every call, whether or not the app keeps any, for somebody who watches. */
  readonly records: Observers<AuditRecord>;
  /** Notifies clients of changes. */
  readonly changes: Changes;
  readonly secret: string | undefined;
  /** The variables that it declares. */
  readonly variables: AppVariables;
  /** Where the processes of the app meet. */
  readonly store: AppStore;
  /** What they share there, apart from tasks. For wires. */
  readonly share: AppShare;
  readonly tasks: AppTasks;
  /** Who may call what; undefined if everybody may call everything. */
  readonly access: (Access & { readonly options: AccessOptions }) | undefined;
  /** Pages of other origins that may call over HTTP, unless the server has rules of its own. */
  readonly cors: CorsOptions | undefined;
  /** Whether servers show the console; undefined if the app does not say. */
  readonly console: boolean | undefined;
  /** For errors in a wire itself: logs the error with its stack, and returns the failure to send. */
  readonly reportError: Report['thrown'];
  /** Calls a function in this process, exactly as a wire would. Without a type of the app, any name compiles. */
  call<Name extends NameIn<Functions>, T extends AnyTypes = TypesOf<Functions, Name>>(
    name: Name,
    ...rest: Rest<T['input'], CallOptions>
  ): Promise<Outcome<T['output'], T['errorCode'] | Code>>;
  /** The same for functions that stream: `for await (const chunk of app.stream('Count', { to: 3 }))`. */
  stream<Name extends NameIn<Functions>, T extends AnyTypes = TypesOf<Functions, Name>>(
    name: Name,
    ...rest: Rest<T['input'], CallOptions>
  ): ChunkStream<T['chunk'], Outcome<T['output'], T['errorCode'] | Code>>;
  /** Handles a web-standard Request, in any runtime that has them, at the root or below `base`. */
  fetch(request: Request, options?: EmbedOptions<Request> | RuntimeInfo): Promise<Response>;
  /** As workers call it, for `export default app`: strings among the bindings are the variables of `context.env`. */
  fetch(request: Request, bindings: unknown, context: unknown): Promise<Response>;
  /**
   * Starts the app, if it is not started, which the first call does otherwise; also after `close`. Rejects with what the author's
   * `start` threw. Resolves to whether the caller has to `close` it: somebody else who started it will.
   */
  start(options?: EnvironmentOptions): Promise<boolean>;
  /**
   * Refuses new calls, waits for those under way, then runs the author's `stop`, once. Resolves to whether all of that
   * succeeded within the limit `drain`; what did not is in the log. Not called `stop`: Bun would not serve
   * `export default app`, since it takes objects with that method for servers that run already.
   */
  close(): Promise<boolean>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
  /**
   * Whether a process that made calls must `close` the app before it exits: the author defined `start` or `stop`, or other
   * processes are being notified of a change.
   */
  readonly needsStop: boolean;
  /** Runs the app as a command: `await app.run(process.argv)`. A call ends the process after printing its result. */
  run(argv: readonly string[]): Promise<void>;
  /** For types only; never set at run time. */
  readonly '~functions'?: Functions;
}
