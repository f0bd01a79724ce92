import { signal } from '@preact/signals';

/** Where the app is: the page is in the folder `console/` below it, whatever a proxy puts before that. */
export const base = new URL('../', document.baseURI).href;

/** Kept in memory only: neither in the address nor in any storage. */
export const token = signal('');

/** A request to the app, with the user's token, if there is one. */
export function ask(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
  const all = new Headers(headers);
  if (token.value !== '') all.set('authorization', `Bearer ${token.value}`);
  return fetch(new URL(path, base), { ...init, headers: all, credentials: 'omit', cache: 'no-store' });
}

/** JSON of the console's own endpoints. */
export async function askJson<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await ask(path, init);
  const body: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(messageIn(body) ?? `${response.status} ${response.statusText}`);
  return body as T;
}

/** The message of a failure, whatever the profile of the app is. */
function messageIn(body: unknown): string | undefined {
  const { error, detail, message } = (body ?? {}) as { error?: unknown; detail?: unknown; message?: unknown };
  const found = [error, (error as { message?: unknown } | undefined)?.message, detail, message];
  return found.find((one) => typeof one === 'string');
}
