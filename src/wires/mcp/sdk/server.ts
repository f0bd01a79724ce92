import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ResourceNotFoundError,
  Server,
  inputRequired,
} from '@modelcontextprotocol/server';
import type { InputRequests, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { factsOfFailed } from '../../../core/failure.ts';
import { COMPLETE, LIST_RESOURCES, SUBSCRIBE } from '../../../core/operations.ts';
import type { ListedEntry } from '../../../core/operations.ts';
import type { Failed } from '../../../core/outcome.ts';
import type { ResourceBody } from '../../../core/resource.ts';
import { refuseAddress } from '../../../core/uri-template.ts';
import type { Profile } from '../../../responses/profiles/profile.ts';
import type { Answer, RequestedCall, Respond } from '../../../app/respond.ts';
import { traceIn } from '../../trace-context.ts';
import type { Era } from '../fast-path/parse-request.ts';
import { LEVELS, logged } from '../log-levels.ts';
import { Rounds } from '../elicitation.ts';
import { fingerprint } from './fingerprint.ts';
import { givenIn } from './given-arguments.ts';
import { protocolError } from './protocol-error.ts';
import type { Kept, McpShared } from './shared.ts';
import { Subscriptions } from './subscriptions.ts';

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
  server.setRequestHandler(
    'tools/call',
    guarded(async ({ params }, context) => {
      const questions = begun?.(context);
      const fn = app.find(params.name);
      if (!fn) throw new ProtocolError(-32602, `Function not found: ${params.name}`, { code: 'FUNCTION_NOT_FOUND' });
      const call = { name: fn.name, fn, input: givenIn(params) };
      if (questions) return asking(questions, call, context);
      return run(app.respond, call, context, profile, ({ body, outcome }) => {
        if (!outcome.ok) refuseAsProtocol(outcome);
        return JSON.parse(body) as { content: [] };
      });
    }),
  );

  server.setRequestHandler(
    'resources/list',
    guarded(async (_request, context) => {
      const entries = await operate<readonly ListedEntry[]>({ name: LIST_RESOURCES }, context);
      return { resources: entries.filter(({ uri }) => uri !== undefined) as [] };
    }),
  );
  server.setRequestHandler(
    'resources/templates/list',
    guarded(async (_request, context) => {
      const what = { name: LIST_RESOURCES, input: { definitionsOnly: true } };
      const entries = await operate<readonly ListedEntry[]>(what, context);
      return { resourceTemplates: entries.filter(({ uriTemplate }) => uriTemplate !== undefined) as [] };
    }),
  );
  server.setRequestHandler(
    'resources/read',
    guarded(async ({ params: { uri } }, context) => {
      const refused = refuseAddress(uri);
      if (refused) throw protocolError(refused);
      const found = app.resources.locate(uri);
      if (!found) throw new ResourceNotFoundError(uri);
      const call = { name: found.resource.fn.name, input: found.variables };
      return run(app.resources.respond, call, context, undefined, ({ outcome }) => {
        if (!outcome.ok && outcome.error.code === 'NOT_FOUND')
          throw new ResourceNotFoundError(uri, outcome.error.message);
        if (!outcome.ok) throw protocolError(outcome);
        return { contents: [{ uri, ...(outcome.data as ResourceBody & { text: string }) }] };
      });
    }),
  );
  const subscriptions = new Subscriptions(app);
  server.setRequestHandler(
    'resources/subscribe',
    guarded(async ({ params: { uri } }, context) => {
      subscriptions.check(uri);
      await operate({ name: SUBSCRIBE, input: { uris: [uri] } }, context);
      subscriptions.add(uri); // checks again: others may have been added meanwhile
      return {};
    }),
  );
  server.setRequestHandler(
    'resources/unsubscribe',
    guarded(async ({ params: { uri } }) => {
      subscriptions.delete(uri);
      return {};
    }),
  );

  server.setRequestHandler('prompts/list', async () => ({ prompts: listings.prompts as [] }));
  server.setRequestHandler(
    'prompts/get',
    guarded(async ({ params }, context) => {
      const fn = app.prompts.find(params.name);
      if (!fn) throw new ProtocolError(-32602, `Prompt not found: ${params.name}`, { code: 'PROMPT_NOT_FOUND' });
      const call = { name: fn.name, input: params.arguments };
      return run(app.prompts.respond, call, context, undefined, ({ outcome }) => {
        if (!outcome.ok) throw protocolError(outcome);
        return { description: fn.description, messages: outcome.data as [] };
      });
    }),
  );
  server.setRequestHandler(
    'completion/complete',
    guarded(async ({ params: { ref, argument } }, context) => ({
      completion: await operate<{ values: string[] }>({ name: COMPLETE, input: { ref, argument } }, context),
    })),
  );

  // A connection that stays hears of changes. A server for one request must not listen: nobody would ever forget it.
  if (lasts === 'connection') {
    const forget = app.changes.listen((change) => {
      // Sending fails only when the connection is closing: then there is nobody to tell.
      if (change.kind === 'resource') {
        if (subscriptions.has(change.uri)) void server.sendResourceUpdated({ uri: change.uri }).catch(() => {});
      } else if (change.kind === 'tools') void server.sendToolListChanged().catch(() => {});
      else if (change.kind === 'prompts') void server.sendPromptListChanged().catch(() => {});
      else void server.sendResourceListChanged().catch(() => {});
    });
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
    server.onclose = forget;
  }
  return server;

  /** The SDK would send the message of anything that a handler throws. */
  function guarded<A extends unknown[], R>(handler: (...given: A) => Promise<R>): (...given: A) => Promise<R> {
    return async (...given) => {
      try {
        return await handler(...given);
      } catch (thrown) {
        throw thrown instanceof ProtocolError ? thrown : protocolError(app.fault(thrown, { part: 'mcp' }));
      }
    };
  }

  /** A call through the pipeline, which may end in a question to the caller. */
  async function run<R>(
    respond: Respond,
    what: What,
    context: ServerContext,
    as: Profile | undefined,
    encode: (answer: Answer) => R,
  ) {
    const declared =
      (context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ??
      server.getClientCapabilities();
    const rounds = new Rounds(declared as Readonly<Record<string, unknown>> | undefined, isModern, {
      ...(await answersBefore(what, context)),
      ...context.mcpReq.inputResponses,
    });
    const asked = {
      ...callOf(what, context),
      asker: rounds,
      onLeave: (listener: Rounds['onAsked']) => {
        rounds.onAsked = listener;
      },
    };
    const answer = await respond(asked, as);
    const isAsking = rounds.isWaiting && !answer.outcome.ok && answer.outcome.error.code === 'INPUT_REQUIRED';
    return isAsking ? asking(rounds, what, context) : encode(answer);
  }

  /** A call that asks nothing, and fails as the protocol does. */
  async function operate<T>(what: What, context: ServerContext): Promise<T> {
    const { outcome } = await app.operations.respond(callOf(what, context));
    if (!outcome.ok) throw protocolError(outcome);
    return outcome.data as T;
  }

  function callOf(what: What, context: ServerContext): RequestedCall {
    const { signal, _meta } = context.mcpReq;
    const token = _meta?.progressToken;
    const request = context.http?.req;
    const isBehind = () => request !== undefined && shared.unread.get(request)?.isBehind() === true;
    return {
      ...what,
      caller: { wire, ...traceIn(_meta ?? {}) },
      environment,
      signal,
      onProgress: ({ done, total, message }) => {
        if (token === undefined || isBehind()) return;
        const params = {
          progressToken: token,
          progress: done,
          ...(total !== undefined && { total }),
          ...(message && { message }),
        };
        // Whoever is gone misses nothing.
        void context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
      },
      onLog: (level, message, fields) => {
        if (isBehind()) return;
        void context.mcpReq.log(LEVELS[level], logged(message, fields), app.name).catch(() => {});
      },
    };
  }

  /** The result that asks. */
  async function asking(
    { questions, answers }: Rounds,
    what: What,
    context: ServerContext,
  ): Promise<InputRequiredResult> {
    const requests = questions.map(({ name, method, params }) => [name, { method, params }]);
    const requestState = await codec.mint({ answers, call: await fingerprint(context.mcpReq.method, what) }, context);
    return inputRequired({ inputRequests: Object.fromEntries(requests) as InputRequests, requestState });
  }
}

type What = Pick<RequestedCall, 'name' | 'fn' | 'input'>;

/** What the caller answered in the rounds before, to questions of this very call. */
async function answersBefore(what: What, context: ServerContext): Promise<Kept['answers']> {
  const kept = context.mcpReq.requestState<Kept>();
  if (!kept) return {};
  if (kept.call !== (await fingerprint(context.mcpReq.method, what)))
    throw new ProtocolError(-32602, 'Invalid or expired requestState', { reason: 'invalid_request_state' });
  return kept.answers;
}

/** Failures that the protocol has numbers for are its errors; a tool's own are results. */
function refuseAsProtocol(outcome: Failed): void {
  if (typeof factsOfFailed(outcome).mcp === 'number') throw protocolError(outcome);
}
