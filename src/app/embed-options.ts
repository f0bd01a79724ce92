import type { CorsOptions } from './cors-options.ts';
import type { EnvironmentOptions } from '../env/environment.ts';

/** How an app is served inside another server. */
export interface EmbedOptions {
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
}

/** What Bun and Deno pass to a fetch handler after the request. It is not used. */
export type RuntimeInfo = { readonly requestIP: unknown } | { readonly remoteAddr: unknown };
