import type { CorsOptions } from './cors-options.ts';
import type { AskOuter } from '../core/credentials.ts';
import type { PrincipalOptions } from '../core/principal.ts';
import type { EnvironmentOptions } from '../env/environment.ts';

/** How an app is served inside another server. */
export interface EmbedOptions<Request = any> {
  /** The path below which everything is served, such as `/api`; paths elsewhere do not exist. */
  readonly base?: string | undefined;
  /** The variables and files that functions can access. */
  readonly environment?: EnvironmentOptions | undefined;
  /** Host names to serve; any by default, since the server around the app decides. Ports are ignored. */
  readonly hosts?: readonly string[] | undefined;
  /** Pages of other origins that may call, in the place of the app's rules. Without any, the server around the app decides. */
  readonly cors?: CorsOptions | undefined;
  /** Whether nothing can be kept between requests, as on serverless platforms: there are no MCP sessions. */
  readonly stateless?: boolean | undefined;
  /**
   * Who calls, as the server around the app knows it. Undefined: the authenticators of the app are asked. If it throws, the
   * call is refused.
   */
  readonly principal?: PrincipalOptions | ((request: Request) => OuterPrincipal) | undefined;
}

type OuterPrincipal = ReturnType<AskOuter>;

/** Asks the server around an app about a request; undefined if it says nothing. */
export function askOuterOf<Request>({
  principal,
}: Pick<EmbedOptions<Request>, 'principal'>): ((request: Request) => OuterPrincipal) | undefined {
  return typeof principal === 'object' ? () => principal : principal;
}

/** What Bun and Deno pass to a fetch handler after the request. */
export type RuntimeInfo = { readonly requestIP: unknown } | { readonly remoteAddr: unknown };
