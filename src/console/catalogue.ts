import { computed, signal } from '@preact/signals';
import { Refusal, askJson, token } from './server.ts';
import type { Catalogue, Details } from './types.ts';

/** What the server offers; an error if that cannot be read. */
export const catalogue = signal<Catalogue | Error | undefined>(undefined);

/** Whether the token is why it cannot be read. */
export const isTokenRefused = computed(
  () => token.value !== '' && catalogue.value instanceof Refusal && catalogue.value.status === 401,
);

/** The name of a function in the list, from the operationId of a record; undefined if the page does not know it. */
export function nameOf(operationId: string): string | undefined {
  const found = catalogue.value;
  if (!found || found instanceof Error) return undefined;
  const wanted = portable(operationId).replace(/^functions_/, '');
  return found.functions.find(({ name }) => portable(name) === wanted)?.name;
}

/** Portable names have no dots. */
const portable = (text: string) => text.replaceAll('.', '_');

let latest = 0;
/** Whether somebody waits for the outcome, be it a failure. */
let isAwaited = false;

/** Reads it again, after a token was entered, for example. `isQuiet`: what is known stays, if that fails. */
export async function load({ isQuiet = false } = {}): Promise<void> {
  details.clear();
  const mine = ++latest;
  isAwaited ||= !isQuiet;
  const found = await askJson<Catalogue>('console/api/catalogue').catch((error: Error) => error);
  // An older answer may come later, and would be that to another token.
  if (mine !== latest) return;
  if (isAwaited || !(found instanceof Error)) catalogue.value = found;
  isAwaited = false;
}

const details = new Map<string, Promise<Details>>();

export function detailsOf(name: string): Promise<Details> {
  let found = details.get(name);
  if (!found) {
    found = askJson<Details>(`console/api/function/${encodeURIComponent(name)}`);
    found.catch(() => details.delete(name));
    details.set(name, found);
  }
  return found;
}
