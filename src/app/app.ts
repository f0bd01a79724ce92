import type { AuditOptions } from '../audit/record.ts';
import type { Middleware } from '../core/middleware.ts';
import type { Changes } from '../core/changes.ts';
import type { Prompts } from '../core/prompts.ts';
import type { Resources } from '../core/resources.ts';
import type { Log, Progress } from '../core/context.ts';
import type { FunctionDefinition } from '../core/function.ts';
import type { Limits } from '../core/limits.ts';
import type { NamePolicy } from '../core/names.ts';
import type { Outcome } from '../core/outcome.ts';
import type { PromptDefinition } from '../core/prompt.ts';
import type { Registry } from '../core/registry.ts';
import type { Report } from '../core/report.ts';
import type { ResourceDefinition } from '../core/resource.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import type { GuardMode } from '../responses/guard.ts';
import type { Profile, ProfileName } from '../responses/profiles/profile.ts';
import type { Clock } from '../core/clock.ts';
import type { Profiles } from '../responses/profiles/profiles.ts';
import type { Respond } from './respond.ts';

import type { ErrorCodeOf, InputOf, NameIn, OutputOf, Rest } from './call-types.ts';
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
