import type { App } from '../../app/app.ts';
import type { Refusal } from '../../sources/module/description.ts';

const refused = new WeakMap<App, readonly string[]>();

/** Remembers the functions that an app was to serve and does not, as messages. */
export function rememberRefusals(app: App, messages: readonly string[]): void {
  if (messages.length > 0) refused.set(app, messages);
}

export function refusalsOf(app: App): readonly string[] {
  return refused.get(app) ?? [];
}

/** Where, why and what to do, with the line of the source and a caret below it. */
export function refusalText({ name, line, column, source, reason }: Refusal, file: string): string {
  // A line may be minified code; the caret has to stay below what it points at.
  const start = Math.max(0, column - 1 - 60);
  const shown = source.slice(start, start + 120).replaceAll('\t', ' ');
  return `${file}:${line}:${column}: ${name} is not served: ${reason}\n  ${shown}\n  ${' '.repeat(column - 1 - start)}^`;
}
