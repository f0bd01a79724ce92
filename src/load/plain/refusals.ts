import type { App } from '../../app/app.ts';
import type { Refusal } from '../../sources/module/description.ts';

const refused = new WeakMap<App, readonly Refusal[]>();

/** Remembers the functions that an app was to serve and does not. Their files are as messages name them. */
export function rememberRefusals(app: App, refusals: readonly Refusal[]): void {
  if (refusals.length > 0) refused.set(app, refusals);
}

export function refusalsOf(app: App): readonly Refusal[] {
  return refused.get(app) ?? [];
}

/** One message for all of them. */
export async function describeRefusals(refusals: readonly Refusal[]): Promise<string> {
  const { formatRefusal } = await import('../../sources/module/format-refusal.ts');
  return `${refusals.length === 1 ? 'one function is' : `${refusals.length} functions are`} not served\n${refusals.map(formatRefusal).join('\n')}`;
}
