import { CLIENT_CAPABILITIES_META_KEY, ProtocolError, inputRequired } from '@modelcontextprotocol/server';
import type { InputRequests, InputRequiredResult, Server, ServerContext } from '@modelcontextprotocol/server';
import type { Answer, RequestedCall, Respond } from '../../../app/respond.ts';
import type { Call } from '../../../core/call.ts';
import { isFailure, isFromFramework, userFailure } from '../../../core/failure.ts';
import type { Failed, Outcome } from '../../../core/outcome.ts';
import { ownerOf } from '../../../core/principal.ts';
import type { Principal } from '../../../core/principal.ts';
import type { RegisteredFunction } from '../../../core/registered-function.ts';
import { isInputRequired } from '../../../core/rounds.ts';
import type { Profile } from '../../../responses/profiles/profile.ts';
import { traceContextOf } from '../../trace-context.ts';
import { toCall } from '../call-tool.ts';
import type { CallHooks, CalledFunction } from '../call-tool.ts';
import type { Catalog, Sender } from '../catalog.ts';
import { isDenied } from '../denial.ts';
import { Elicitation } from '../elicitation.ts';
import type { ClientCapabilities } from '../elicitation.ts';
import { LEVELS, toLogData } from '../log-levels.ts';
import type { Era } from '../revisions.ts';
import { awaitTask } from '../tasks/await-task.ts';
import type { EndedTask } from '../tasks/await-task.ts';
import { taskTermsOf } from '../tasks/task-terms.ts';
import { progressHooks } from './progress.ts';
import { failureError } from './protocol-error.ts';
import type { ReadAhead } from './read-ahead.ts';
import type { IdentifiedCall, RequestState } from './request-state.ts';

export interface CallRunnerOptions {
  readonly era: Era;
  readonly requestState: RequestState;
  /** The stream that responds to a request, if there is one. */
  readonly readAheadOf?: ((request: Request) => ReadAhead | undefined) | undefined;
  /** Who sent a request, if the transport knows. */
  readonly senderOf?: ((request: Request) => Sender | undefined) | undefined;
  /** Aborted when the server is about to stop: nobody should wait for tasks then. */
  readonly stopping?: AbortSignal | undefined;
  /** Access rules refused a call; the transport may send that in its own way. */
  readonly onDenied?: ((request: Request, failure: Failed) => void) | undefined;
}

/** `task`: what a client of revision 2025-11-25 says about the task that it asks for. */
type Called = CalledFunction & { readonly task?: unknown };

/** Runs the app's code for the handlers of one server. */
export class CallRunner {
  constructor(
    readonly catalog: Catalog,
    private readonly server: Server,
    private readonly options: CallRunnerOptions,
  ) {}

  get era(): Era {
    return this.options.era;
  }

  /** The SDK would send the message of anything that a handler throws. */
  guard<A extends unknown[], R>(handler: (...given: A) => Promise<R>): (...given: A) => Promise<R> {
    return async (...given) => {
      try {
        return await handler(...given);
      } catch (thrown) {
        if (thrown instanceof ProtocolError) throw thrown;
        if (isFailure(thrown) && isFromFramework(thrown)) throw failureError(userFailure(thrown));
        throw failureError(this.catalog.app.reportError(thrown, { part: 'mcp' }));
      }
    };
  }

  /** Calls a function, which may ask the client for input. */
  async call(
    respond: Respond,
    called: Called,
    context: ServerContext,
    profile?: Profile,
  ): Promise<{ readonly answer: Answer; readonly elicitation: Elicitation }> {
    const { fn, input, task } = called;
    const { era } = this.options;
    const { inputResponses, _meta: meta = {} } = context.mcpReq;
    const declared = this.capabilitiesOf(context);
    const askOwner = () => this.#ownerOf(context);
    const saved = await this.options.requestState.load({ name: fn.name, input }, askOwner, context);
    const answers = { ...saved, ...inputResponses };
    const elicitation = new Elicitation(declared, era === 'modern', answers);
    const hooks = this.#hooks(context);
    const terms = taskTermsOf(this.catalog, fn, era, declared, meta, task);
    const call = toCall(this.catalog, { ...called, ...terms }, meta, elicitation, hooks, this.#senderOf(context));
    const answer = await respond({ ...call, onChunk: hooks.onChunk }, profile);
    this.#noteDenied(answer.outcome, context);
    return { answer, elicitation };
  }

  /** Calls the function of a prompt or a resource. */
  async run<R>(
    respond: Respond,
    called: Called,
    context: ServerContext,
    encode: (outcome: Outcome) => R,
  ): Promise<R | InputRequiredResult> {
    const { fn, input } = called;
    const { answer, elicitation } = await this.call(respond, called, context);
    const { outcome } = answer;
    if (!outcome.ok && isInputRequired(outcome, elicitation))
      return this.elicit(elicitation, { name: fn.name, input }, context);
    return encode(outcome);
  }

  /** Those of a list that the caller may see. `listed` and `functions` have the same order. */
  async visible<T>(
    listed: readonly T[],
    functions: readonly RegisteredFunction[],
    context: ServerContext,
  ): Promise<T[]> {
    const { access } = this.catalog.app;
    if (!access?.hides) return [...listed];
    const found = await this.#identify(context);
    if ('ok' in found) throw failureError(found);
    return listed.filter((_, i) => access.shows(found, functions[i]!));
  }

  /** Refuses the call of a function that does not exist, like one of which the caller must not know. */
  async refuseUnknown(name: string, context: ServerContext): Promise<never> {
    const { app, sender } = this.catalog;
    const { outcome } = await app.respond({ name, ...(this.#senderOf(context) ?? sender) });
    this.#noteDenied(outcome, context);
    throw failureError(outcome as Failed);
  }

  /** Refuses wrong credentials also where there is nothing to call. */
  async recognise(context: ServerContext): Promise<void> {
    if (!this.catalog.app.access) return;
    const found = await this.#identify(context);
    if (!('ok' in found)) return;
    this.#noteDenied(found, context);
    throw failureError(found);
  }

  /** Calls an operation of the framework, which needs no input from the client. */
  async operate<T>(name: string, input: unknown, context: ServerContext): Promise<T> {
    const { app, environment, sender: known } = this.catalog;
    const sender = this.#senderOf(context) ?? known;
    const call: RequestedCall = {
      name,
      input,
      ...sender,
      caller: { ...sender.caller, ...traceContextOf(context.mcpReq._meta ?? {}) },
      environment,
      ...this.#hooks(context),
    };
    const { outcome } = await app.operations.respond(call);
    this.#noteDenied(outcome, context);
    if (!outcome.ok) throw failureError(outcome);
    return outcome.data as T;
  }

  /** A task that has ended. Waits for the end. */
  async awaitTask(taskId: string, context: ServerContext): Promise<EndedTask> {
    const { app, sender } = this.catalog;
    const { signal } = context.mcpReq;
    const found = await awaitTask(app, this.#senderOf(context) ?? sender, taskId, signal, this.options.stopping);
    if (!('ok' in found)) return found;
    this.#noteDenied(found, context);
    throw failureError(found);
  }

  /** What a client declares: in each request, or in the handshake of older revisions. */
  capabilitiesOf({ mcpReq }: ServerContext): ClientCapabilities | undefined {
    const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
    const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? this.server.getClientCapabilities();
    return declared as ClientCapabilities | undefined;
  }

  /** The result that asks the client for input. */
  async elicit(
    { questions, answers }: Elicitation,
    call: IdentifiedCall,
    context: ServerContext,
  ): Promise<InputRequiredResult> {
    const requests = questions.map(({ name, method, params }) => [name, { method, params }]);
    const requestState = await this.options.requestState.save(call, answers, () => this.#ownerOf(context), context);
    return inputRequired({ inputRequests: Object.fromEntries(requests) as InputRequests, requestState });
  }

  #senderOf({ http }: ServerContext): Sender | undefined {
    return http?.req && this.options.senderOf?.(http.req);
  }

  /** The pipeline recognises callers, too, but only the wire knows of the state. */
  async #ownerOf(context: ServerContext): Promise<string | undefined> {
    if (!this.catalog.app.access) return '';
    const found = await this.#identify(context);
    return 'ok' in found ? undefined : ownerOf(found);
  }

  async #identify(context: ServerContext): Promise<Principal | Failed> {
    const { app, sender } = this.catalog;
    return app.access!.identify(this.#senderOf(context) ?? sender);
  }

  #noteDenied(outcome: Outcome, { http }: ServerContext): void {
    if (http?.req && isDenied(outcome)) this.options.onDenied?.(http.req, outcome);
  }

  #hooks({ mcpReq, http }: ServerContext): CallHooks & Pick<Call, 'onChunk'> {
    const token = mcpReq._meta?.progressToken;
    const request = http?.req;
    const readAhead = () => request && this.options.readAheadOf?.(request);
    return {
      signal: mcpReq.signal,
      ...(token !== undefined && progressHooks(token, mcpReq.notify, readAhead)),
      // Sending fails only if the client has disconnected.
      onLog: (level, message, fields) => {
        if (readAhead()?.isBehind()) return;
        void mcpReq.log(LEVELS[level], toLogData(message, fields), this.catalog.app.name).catch(() => {});
      },
    };
  }
}
