import type { ProfileName } from 'everywire';
import type { PromiseId } from './promises.ts';

/**
 * A behaviour is written once and runs on every wire. A wire that cannot show it says why, by name.
 */
export interface Behaviour {
  readonly title: string;
  readonly proves: readonly PromiseId[];
  /** Which of test/apps, or which example. */
  readonly app: AppName;
  readonly function: string;
  readonly send: Send;
  /** The profile to ask for, if not the app's own. */
  readonly profile?: ProfileName;
  readonly answer: Answer;
  readonly except?: { readonly [name in WireName]?: string };
}

/** Arguments as a value, or a body as it is, whether or not it is JSON. */
export type Send = { readonly arguments?: unknown } | { readonly body: string | Uint8Array };

export interface Answer {
  /** To the byte. */
  readonly body: string;
  readonly status: number;
  readonly exit: number;
  /** Of a failure. */
  readonly code?: string;
  /** The number of the JSON-RPC error on MCP, where it is not a tool's result. */
  readonly mcp?: number;
}

/** What came back on a wire, as far as the wire can tell. */
type Answered = Pick<Answer, 'body'> & Partial<Omit<Answer, 'mcp'>> & { readonly mcp?: number | 'result' };

export interface Wire {
  readonly name: WireName;
  call(app: AppName, fn: string, send: Send, profile?: ProfileName): Promise<Answered>;
  /** Why it cannot show a behaviour, if it cannot. */
  cannot?(behaviour: Behaviour): string | undefined;
  close?(): Promise<void>;
}

type WireName =
  | 'process'
  | 'fetch'
  | 'express'
  | 'http'
  | 'http-get'
  | 'http-form'
  | 'cli'
  | 'cli-process'
  | 'cgi'
  | 'cgi-process'
  | 'apache'
  | 'lighttpd'
  | 'nginx'
  | 'mcp-http'
  | 'mcp-http-2025'
  | 'mcp-stdio'
  | 'mcp-stdio-2025'
  | 'unix-socket'
  | RawMcpWireName;

/** Without the client's help, on the fast path or past it. */
type RawMcpWireName = `raw-mcp-${'stdio' | 'http'}-${'2025' | '2026'}-${'fast' | 'sdk'}`;

export type AppName = keyof typeof modules;

export const modules = {
  calculator: 'examples/calculator/app.ts',
  weather: 'examples/weather/app.ts',
  arguments: 'test/apps/arguments.ts',
  hostile: 'test/apps/hostile.ts',
  strict: 'test/apps/strict.ts',
  portable: 'test/apps/portable.ts',
  queries: 'test/apps/queries.ts',
  profiles: 'test/apps/profiles.ts',
  rates: 'test/apps/rates.ts',
  rest: 'test/apps/rest.ts',
  streams: 'test/apps/streams.ts',
  enveloped: 'test/apps/enveloped.ts',
  callbacks: 'test/apps/callbacks.ts',
  callbacksMasked: 'test/apps/callbacks-masked.ts',
  uploads: 'test/apps/uploads.ts',
  wired: 'test/apps/wired.ts',
} as const;

/** Bytes of a body: what a wire that carries bytes puts on it. */
export function bodyOf(send: Send): Uint8Array {
  if ('body' in send) return typeof send.body === 'string' ? new TextEncoder().encode(send.body) : send.body;
  return send.arguments === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(send.arguments));
}

/** How a profile is asked for with Accept. */
export function acceptOf(profile: ProfileName | undefined): { accept?: string } {
  if (profile === undefined) return {};
  return { accept: profile === 'problem' ? 'application/problem+json' : `application/json; profile=${profile}` };
}

/** app.call takes values; there are no bytes that could be wrong. */
export const NO_BYTES = { process: 'takes values, not bytes' } as const;
