import type { JsonSchema } from '../../schema/json-schema.ts';
import type { Details } from '../types.ts';
import { rpc } from './rpc.ts';

export interface ToolResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly resultType?: string;
  readonly inputRequests?: Readonly<Record<string, Question>>;
  readonly requestState?: string;
}

/** What a function asks while it runs. */
export interface Question {
  readonly method: string;
  readonly params: { readonly message: string; readonly requestedSchema?: JsonSchema };
}

export type Reply = { readonly action: 'accept'; readonly content: unknown } | { readonly action: 'decline' };

/** Answers all questions of a round. */
export type AnswerQuestions = (questions: Readonly<Record<string, Question>>) => Promise<Record<string, Reply>>;

/** Rounds of questions; a function that never stops asking is a mistake. */
const MOST_ROUNDS = 32;

/** Calls a function over MCP, which is the wire that can ask: every round repeats the call with the answers so far. */
export async function callAsking(
  fn: Details,
  input: unknown,
  answer: AnswerQuestions,
  signal: AbortSignal,
): Promise<ToolResult> {
  let params: object = { name: fn.operationId, arguments: input };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { result, error } = await rpc<ToolResult>('tools/call', params, {
      capabilities: { elicitation: {} },
      signal,
    });
    if (error || !result) throw new Error(error?.message ?? 'No result');
    if (!result.inputRequests) return result;
    const inputResponses = await answer(result.inputRequests);
    params = { name: fn.operationId, arguments: input, inputResponses, requestState: result.requestState };
  }
  throw new Error(`More than ${MOST_ROUNDS} rounds of questions`);
}

/** The body in a tool result, as the other wires send it. */
export function bodyOf({ content = [], structuredContent, isError }: ToolResult): string {
  return isError || structuredContent !== undefined ? (content[0]?.text ?? '') : JSON.stringify({ result: content });
}
