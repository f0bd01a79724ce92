import type { Answer } from '../../../app/respond.ts';
import type { Failed, Outcome } from '../../../core/outcome.ts';
import { CANCEL_TASK, GET_TASK, UPDATE_TASK } from '../../../core/task-operations.ts';
import { toCall, toToolResponse } from '../call-tool.ts';
import type { CallHooks } from '../call-tool.ts';
import type { Catalog, Sender } from '../catalog.ts';
import { Elicitation } from '../elicitation.ts';
import type { ClientCapabilities } from '../elicitation.ts';
import { errorResponse, resultText } from '../jsonrpc.ts';
import { toOperationError } from '../operation-error.ts';
import { hasOwnMeta } from '../result-stamp.ts';
import { CLIENT_CAPABILITIES, LEGACY, MODERN } from '../revisions.ts';
import type { Era } from '../revisions.ts';
import { declaresTasks } from '../tasks/extension.ts';
import { respondTask } from '../tasks/respond-task.ts';
import { toCreatedTask } from '../tasks/task-messages.ts';
import { needsTask, taskTermsOf } from '../tasks/task-terms.ts';
import type { ParsedRequest } from './parse-request.ts';

/**
 * Responds to the most frequent requests without the SDK, with the same JSON. What it does not support is left to the SDK,
 * and so are elicitations.
 */
export interface FastPath<Refusal = never> {
  /** `capabilities` are those of the handshake; modern requests carry their own. */
  respond(
    request: ParsedRequest,
    hooks: CallHooks,
    capabilities?: ClientCapabilities,
    sender?: Sender,
  ): FastResponse<Refusal> | Promise<FastResponse<Refusal>>;
}

/**
 * The response as text; an elicitation for the SDK to send; a refusal for the transport to send; undefined if the SDK must
 * handle the request.
 */
export type FastResponse<Refusal = never> = string | Elicitation | Refusal | undefined;

/** `isForTransport`: which refusals the transport sends in its own way. */
export function createFastPath<Refusal extends Failed = never>(
  catalog: Catalog,
  isForTransport?: (outcome: Outcome) => outcome is Refusal,
): FastPath<Refusal> {
  const { app, serverInfo, capabilities, tools, profile, cacheHint } = catalog;
  const stamp = catalog.stamp.values;
  const instructions = app.description && { instructions: app.description };
  const description = { capabilities: capabilities.modern, ...instructions };
  const discovery = JSON.stringify({ ...stamp, ...cacheHint, supportedVersions: [MODERN], ...description });
  let toolLists: Readonly<Record<Era, string>> | undefined;

  return { respond };

  function respond(
    request: ParsedRequest,
    hooks: CallHooks,
    declared?: ClientCapabilities,
    sender?: Sender,
  ): FastResponse<Refusal> | Promise<FastResponse<Refusal>> {
    switch (request.method) {
      case 'tools/call':
        return callTool(request, hooks, declared, sender);
      case 'tools/list':
        if (app.access?.hides) return undefined; // differs by caller
        return resultText(request.id, (toolLists ??= writeToolLists())[request.era]);
      case 'server/discover':
        return resultText(request.id, discovery);
      case 'initialize':
        return resultText(request.id, initializeResult(request.params['protocolVersion'] as string));
      case GET_TASK:
      case UPDATE_TASK:
      case CANCEL_TASK:
        return callTask(request, sender);
      default:
        return resultText(request.id, '{}');
    }
  }

  function writeToolLists(): Readonly<Record<Era, string>> {
    return {
      legacy: JSON.stringify({ tools: tools.legacy }),
      modern: JSON.stringify({ ...stamp, ...cacheHint, tools: tools.modern }),
    };
  }

  function initializeResult(wanted: string): string {
    const protocolVersion = LEGACY.includes(wanted) ? wanted : LEGACY[0];
    return JSON.stringify({ protocolVersion, serverInfo, capabilities: capabilities.legacy, ...instructions });
  }

  function callTool(
    request: ParsedRequest,
    hooks: CallHooks,
    declared: ClientCapabilities | undefined,
    sender: Sender | undefined,
  ): FastResponse<Refusal> | Promise<FastResponse<Refusal>> {
    const { era, meta, params } = request;
    const name = params['name'] as string;
    const fn = app.find(name);
    if (!fn) return undefined;
    const isModern = era === 'modern';
    const known = isModern ? (meta[CLIENT_CAPABILITIES] as ClientCapabilities) : declared;
    const terms = taskTermsOf(catalog, fn, era, known, meta);
    if (needsTask(fn, terms)) return undefined; // over HTTP, the error has a status of its own
    const elicitation = new Elicitation(known, isModern);
    const called = { name, fn, input: params['arguments'], deferral: terms.deferral, refused: terms.refused };
    const answer = app.respond(toCall(catalog, called, meta, elicitation, hooks, sender), profile);
    return answer instanceof Promise
      ? answer.then((late) => encode(request, late, elicitation))
      : encode(request, answer, elicitation);
  }

  function encode({ id, era }: ParsedRequest, answer: Answer, elicitation: Elicitation): FastResponse<Refusal> {
    const { outcome } = answer;
    if (isForTransport?.(outcome)) return outcome;
    // Only clients of the modern era get here with a task.
    if (outcome.ok && outcome.task) return resultText(id, JSON.stringify({ ...stamp, ...toCreatedTask(outcome.task) }));
    const response = toToolResponse(answer, elicitation);
    if (typeof response !== 'string')
      return response instanceof Elicitation ? response : JSON.stringify(errorResponse(id, response));
    if (era === 'legacy') return resultText(id, response);
    return resultText(id, catalog.stamp.onto(response, hasOwnMeta(outcome, answer.fn)));
  }

  function callTask(
    request: ParsedRequest,
    sender: Sender = catalog.sender,
  ): Promise<FastResponse<Refusal>> | undefined {
    const { id, meta } = request;
    if (!app.tasks.isUsed || !declaresTasks(meta[CLIENT_CAPABILITIES] as ClientCapabilities)) return undefined;
    return respondTask(catalog, request, sender).then((result) => {
      if (typeof result === 'string') return resultText(id, result);
      return isForTransport?.(result) ? result : JSON.stringify(errorResponse(id, toOperationError(result)));
    });
  }
}
