import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ResourceNotFoundError,
  Server,
  inputRequired,
} from '@modelcontextprotocol/server';
import type { InputRequests, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import type { App } from '../../../app.ts';
import type { Call } from '../../../core/call.ts';
import { factsOfFailed } from '../../../core/failure.ts';
import type { Failed } from '../../../core/outcome.ts';
import type { ResourceBody } from '../../../core/resource.ts';
import type { Profile } from '../../../responses/profiles/profile.ts';
import type { Answer, Respond } from '../../../responses/respond.ts';
import { traceIn } from '../../trace-context.ts';
import type { Era } from '../asked.ts';
import { LEVELS, logged } from '../logged.ts';
import { Rounds } from '../rounds.ts';
import { boundBacklog } from './backlog.ts';
import { complete } from './complete.ts';
import { givenIn } from './given-arguments.ts';
import type { Kept, McpShared } from './shared.ts';

export interface ServerLife {
  readonly era: Era;
  readonly lasts: 'request' | 'connection';
  /** The questions of a call that was begun on the lane, and that this server is to ask. */
  readonly begun?: ((context: ServerContext) => Rounds | undefined) | undefined;
}

/** An official server for one connection, or one request: it speaks the protocol, the app answers. */
export function createMcpServer(shared: McpShared, { era, lasts, begun }: ServerLife): Server {
  const { app, capabilities, listings, profile, caching, codec, environment, wire } = shared;
  const server = new Server(
    { name: app.name, version: app.version },
    {
      capabilities,
      ...(app.description && { instructions: app.description }),
      requestState: { verify: (state, context) => codec.verify(state, context) },
      cacheHints: {
        'tools/list': caching,
        'resources/list': caching,
        'resources/templates/list': caching,
        'prompts/list': caching,
        'server/discover': caching,
      },
    },
  );
  const isModern = era === 'modern';

  server.setRequestHandler('tools/list', async () => ({ tools: listings.tools as [] }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const questions = begun?.(context);
    if (questions) return asking(questions, context);
    const fn = app.find(params.name);
    if (!fn) throw new ProtocolError(-32602, `Function not found: ${params.name}`, { code: 'FUNCTION_NOT_FOUND' });
    return run(app.respond, { name: fn.name, input: givenIn(params) }, context, profile, ({ body, outcome }) => {
      if (!outcome.ok) refuseAsProtocol(outcome);
      return JSON.parse(body) as { content: [] };
    });
  });

  server.setRequestHandler('resources/list', async () => ({
    resources: [...listings.resources, ...(await listed(app))] as [],
  }));
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: listings.resourceTemplates as [],
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const found = app.resources.locate(uri);
    if (!found) throw new ResourceNotFoundError(uri);
    const call = { name: found.resource.fn.name, input: found.variables };
    return run(app.resources.respond, call, context, undefined, ({ outcome }) => {
      if (!outcome.ok && outcome.error.code === 'NOT_FOUND')
        throw new ResourceNotFoundError(uri, outcome.error.message);
      if (!outcome.ok) throw protocolError(outcome);
      return { contents: [{ uri, ...(outcome.data as ResourceBody & { text: string }) }] };
    });
  });
  const subscribed = new Set<string>();
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    subscribed.add(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });

  server.setRequestHandler('prompts/list', async () => ({ prompts: listings.prompts as [] }));
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const fn = app.prompts.find(params.name);
    if (!fn) throw new ProtocolError(-32602, `Prompt not found: ${params.name}`, { code: 'PROMPT_NOT_FOUND' });
    return run(app.prompts.respond, { name: fn.name, input: params.arguments }, context, undefined, ({ outcome }) => {
      if (!outcome.ok) throw protocolError(outcome);
      return { description: fn.description, messages: outcome.data as [] };
    });
  });
  server.setRequestHandler('completion/complete', async ({ params }) => ({ completion: await complete(app, params) }));

  // A connection that stays hears of changes. A server for one request must not listen: nobody would ever forget it.
  if (lasts === 'connection') {
    const forget = app.changes.listen((change) => {
      if (change.kind === 'resource') {
        if (subscribed.has(change.uri)) void server.sendResourceUpdated({ uri: change.uri }).catch(() => {});
      } else if (change.kind === 'tools') void server.sendToolListChanged().catch(() => {});
      else if (change.kind === 'prompts') void server.sendPromptListChanged().catch(() => {});
      else void server.sendResourceListChanged().catch(() => {});
    });
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
    server.onclose = forget;
  }
  return server;

  /** A call through the pipeline, which may end in a question to the caller. */
  async function run<R>(
    respond: Respond,
    what: Pick<Call, 'name' | 'input'>,
    context: ServerContext,
    as: Profile | undefined,
    encode: (answer: Answer) => R,
  ) {
    const { signal, _meta, envelope } = context.mcpReq;
    const declared =
      (envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ??
      server.getClientCapabilities();
    const rounds = new Rounds(declared as Readonly<Record<string, unknown>> | undefined, isModern, {
      ...context.mcpReq.requestState<Kept>()?.answers,
      ...context.mcpReq.inputResponses,
    });
    const token = _meta?.progressToken;
    const release = boundBacklog(server.transport, context);
    const answer = await respond(
      {
        ...what,
        caller: { wire, ...traceIn(_meta ?? {}) },
        environment,
        signal,
        asker: rounds,
        onLeave: (listener) => {
          rounds.onAsked = listener;
        },
        onProgress: ({ done, total, message }) => {
          if (token === undefined) return;
          const params = {
            progressToken: token,
            progress: done,
            ...(total !== undefined && { total }),
            ...(message && { message }),
          };
          void context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
        },
        onLog: (level, message, fields) => {
          void context.mcpReq.log(LEVELS[level], logged(message, fields), app.name).catch(() => {});
        },
      },
      as,
    );
    release();
    const isAsking = rounds.isWaiting && !answer.outcome.ok && answer.outcome.error.code === 'INPUT_REQUIRED';
    return isAsking ? asking(rounds, context) : encode(answer);
  }

  /** The result that asks. */
  async function asking({ questions, answers }: Rounds, context: ServerContext): Promise<InputRequiredResult> {
    const requests = questions.map(({ name, method, params }) => [name, { method, params }]);
    const requestState = await codec.mint({ answers }, context);
    return inputRequired({ inputRequests: Object.fromEntries(requests) as InputRequests, requestState });
  }
}

/** What a template knows to exist. */
async function listed(app: App): Promise<readonly object[]> {
  const lists = await Promise.all(app.resources.list.map(async ({ definition }) => (await definition.list?.()) ?? []));
  return lists.flat();
}

/** Failures that the protocol has numbers for are its errors; a tool's own are results. */
function refuseAsProtocol(outcome: Failed): void {
  if (typeof factsOfFailed(outcome).mcp === 'number') throw protocolError(outcome);
}

/** Resources and prompts have no other way to fail. Only the framework knows what was wrong with a request. */
function protocolError(outcome: Failed): ProtocolError {
  const { code, message, details } = outcome.error;
  const { mcp } = factsOfFailed(outcome);
  const number = typeof mcp === 'number' ? mcp : code === 'INVALID_ARGUMENTS' ? -32602 : -32603;
  return new ProtocolError(number, message, { code, ...(details !== undefined && { details }) });
}
