import type { Asker } from '../core/asking.ts';

/** The answer to a question: the fields of a form, or the result of another request of MCP. */
export type TestAnswer = object | 'decline' | 'cancel';

/** A caller who has these answers ready, in this order. */
export function answering(answers: readonly TestAnswer[]): Asker {
  const left = [...answers];
  return {
    can: () => left.length > 0,
    takes: () => left.length > 0,
    async ask({ method }) {
      const answer = left.shift();
      if (answer === 'decline' || answer === 'cancel') return { action: answer };
      return method === 'elicitation/create' ? { action: 'accept', content: answer } : answer;
    },
  };
}
