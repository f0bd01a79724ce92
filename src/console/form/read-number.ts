import { isExact } from '../../schema/exact-number.ts';
import { InexactNumber } from '../../schema/parse-json.ts';

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * A number as it was typed: nothing is rounded before the server could refuse it. What is no number stays text, so that
 * the check can say what is wrong with it.
 */
export function readNumber(typed: string): unknown {
  const text = typed.trim();
  if (text === '') return undefined;
  if (!NUMBER.test(text)) return typed;
  return isExact(text) ? Number(text) : new InexactNumber(asJson(text));
}

/** JSON has no `+1`, `.5`, `5.` and `007`. */
const asJson = (text: string) =>
  text
    .replace(/^\+/, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?!\d)/, '');
