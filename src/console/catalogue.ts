import { signal } from '@preact/signals';
import { askJson } from './server.ts';
import type { Catalogue, Details } from './types.ts';

/** What the server offers; an error if that cannot be read. */
export const catalogue = signal<Catalogue | Error | undefined>(undefined);

/** Reads it again, after a token was entered, for example. `isQuiet`: what is known stays, if that fails. */
export async function load({ isQuiet = false } = {}): Promise<void> {
  details.clear();
  try {
    catalogue.value = await askJson<Catalogue>('console/api/catalogue');
  } catch (error) {
    if (!isQuiet) catalogue.value = error as Error;
  }
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
