import type { App } from '../../app/app.ts';
import type { Refusal } from '../../sources/module/description.ts';

export type { Refusal };

const refused = new WeakMap<App, readonly Refusal[]>();

/** Remembers the functions that an app was to serve and does not. Their files are as messages name them. */
export function rememberRefusals(app: App, refusals: readonly Refusal[]): void {
  if (refusals.length > 0) refused.set(app, refusals);
}

export function refusalsOf(app: App): readonly Refusal[] {
  return refused.get(app) ?? [];
}

/** The functions that typed words, or the path of a request, mean: `orders list`, `orders-list` and `orders.List` are one. */
export function refusalsFor(app: App, words: readonly string[]): readonly Refusal[] {
  const typed = new Set(words.slice(0, MAX_WORDS).map((_, i) => plainName(words.slice(0, i + 1).join(''))));
  return refusalsOf(app).filter(({ name }) => typed.has(plainName(name)));
}

/** Of a command and the groups that it is in; what follows are arguments. */
const MAX_WORDS = 8;

const plainName = (name: string) => name.replaceAll(/[-_.]/g, '').toLowerCase();

/** Why a function that is asked for is not served; undefined if there is no such function. */
export async function whyRefused(app: App, words: readonly string[]): Promise<string | undefined> {
  const [refusal] = refusalsFor(app, words);
  return refusal && (await import('../../sources/module/format-refusal.ts')).formatRefusal(refusal);
}

/** One message for all of them. */
export async function describeRefusals(refusals: readonly Refusal[]): Promise<string> {
  const { formatRefusal } = await import('../../sources/module/format-refusal.ts');
  return `${refusals.length === 1 ? 'one function is' : `${refusals.length} functions are`} not served\n${refusals.map(formatRefusal).join('\n')}`;
}
