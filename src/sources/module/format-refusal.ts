import { codeFrame } from '../../responses/source-mistake.ts';
import type { Refusal } from './description.ts';

/** A refusal as the command line prints it: where, what and why, and the source with a caret. */
export function formatRefusal(refusal: Refusal): string {
  const { name, file, line, column, source, reason } = refusal;
  return `${file}:${line}:${column}: ${name === '' ? reason : `${name}: ${reason}`}\n${codeFrame(source, refusal)}`;
}
