import type { App } from '../../app/app.ts';
import type { Call } from '../../core/call.ts';
import type { Caller, Environment } from '../../core/context.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import type { TaskMode } from '../../core/task.ts';
import { createMcp, returnsData } from '../../responses/profiles/mcp.ts';
import type { Profile } from '../../responses/profiles/profile.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { createResultStamp } from './result-stamp.ts';
import type { ResultStamp } from './result-stamp.ts';
import type { Era } from './revisions.ts';
import { TASK_CAPABILITIES } from './tasks/extension.ts';

/** What an app serves over MCP, computed once. The fast path and the SDK's servers share it. */
export interface Catalog {
  readonly app: App;
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly stamp: ResultStamp;
  readonly capabilities: Readonly<Record<Era, ServerCapabilities>>;
  /** In the order of the app's functions. */
  readonly tools: Readonly<Record<Era, readonly object[]>>;
  /** In the order of the app's prompts. */
  readonly prompts: readonly object[];
  /** MCP's tool result around the body that every other wire sends. */
  readonly profile: Profile;
  /** Whether the lists of functions, resources and prompts will change while the server runs. */
  readonly isChanging: boolean;
  /** How long clients may cache lists. They are notified of changes. */
  readonly cacheHint: { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' };
  readonly environment: Environment | undefined;
  /** Who sends a message about whose sender the transport knows nothing else. */
  readonly sender: Sender;
}

/** Who sends a message, as far as the transport knows. */
export type Sender = Pick<Call, 'caller' | 'credentials' | 'principal'>;

export interface CatalogOptions extends Pick<Sender, 'credentials'> {
  readonly environment?: Environment | undefined;
  /** `portable` lists tools without dots in their names, whatever the app's own policy. Calls work with either name. */
  readonly names?: 'portable' | undefined;
  /** Whether the lists will change while the server runs; `false` by default. */
  readonly isChanging?: boolean | undefined;
}

type ServerCapabilities = typeof CAPABILITIES &
  Partial<typeof TASK_CAPABILITIES.legacy & typeof TASK_CAPABILITIES.modern>;

const LIST_TTL = 300_000;

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

export function createCatalog(
  app: App,
  caller: Caller,
  { environment, names, credentials, isChanging = false }: CatalogOptions,
): Catalog {
  const nameOf = ({ operationId }: RegisteredFunction) =>
    names === 'portable' ? operationId.replaceAll('.', '_') : operationId;
  const serverInfo = { name: app.name, version: app.version };
  return {
    app,
    serverInfo,
    stamp: createResultStamp(serverInfo),
    capabilities: capabilitiesOf(app),
    tools: toolsOf(app, nameOf),
    prompts: app.prompts.list.map(promptOf),
    profile: createMcp(app.profile.name === 'mcp' ? undefined : app.profile),
    isChanging,
    // With hidden functions, a list is for one caller.
    cacheHint: { ttlMs: isChanging ? 0 : LIST_TTL, cacheScope: app.access?.hides ? 'private' : 'public' },
    environment,
    sender: Object.freeze({ caller: Object.freeze(caller), credentials }),
  };
}

/** A session is needed only for server-to-client requests and notifications. */
export function needsSession({ app, isChanging }: Catalog, capabilities: object): boolean {
  const takesRequests = ['elicitation', 'sampling', 'roots'].some((name) => name in capabilities);
  return isChanging || takesRequests || app.resources.list.length > 0;
}

function capabilitiesOf({ tasks }: App): Catalog['capabilities'] {
  if (!tasks.isUsed) return { legacy: CAPABILITIES, modern: CAPABILITIES };
  const { legacy, modern } = TASK_CAPABILITIES;
  return { legacy: { ...CAPABILITIES, ...legacy }, modern: { ...CAPABILITIES, ...modern } };
}

/** Only revision 2025-11-25 lists which tools become tasks: there, the client decides. */
function toolsOf(app: App, nameOf: (fn: RegisteredFunction) => string): Catalog['tools'] {
  const modern = app.functions.map((fn) => toolOf(app, fn, nameOf(fn)));
  if (!app.tasks.isUsed) return { legacy: modern, modern };
  const legacy = app.functions.map(({ task }, i) => {
    const taskSupport = TASK_SUPPORT[task];
    return taskSupport === undefined ? modern[i]! : { ...modern[i], execution: { taskSupport } };
  });
  return { legacy, modern };
}

const TASK_SUPPORT: Readonly<Record<TaskMode, string | undefined>> = {
  never: undefined,
  allowed: 'optional',
  always: 'required',
};

function toolOf(app: App, fn: RegisteredFunction, name: string): object {
  const { readOnly, idempotent, destructive } = fn.definition.hints ?? {};
  const annotations = {
    title: fn.title,
    ...(readOnly !== undefined && { readOnlyHint: readOnly }),
    ...(idempotent !== undefined && { idempotentHint: idempotent }),
    ...(destructive !== undefined && { destructiveHint: destructive }),
  };
  const inner = app.profile.name === 'mcp' ? app.profiles.plain : app.profile;
  return {
    name,
    title: fn.title,
    description: fn.description,
    inputSchema: fn.inputSchema,
    ...(returnsData(fn) && { outputSchema: inner.successSchema(fn.returned) }),
    annotations,
  };
}

function promptOf({ definition, inputSchema }: App['prompts']['list'][number]): object {
  const { name, title, description } = definition;
  return { name, ...(title && { title }), description, arguments: argumentsOf(inputSchema) };
}

function argumentsOf({ properties = {}, required = [] }: JsonSchema): readonly object[] {
  return Object.entries(properties).map(([name, { description }]) => ({
    name,
    ...(description !== undefined && { description }),
    required: required.includes(name),
  }));
}
