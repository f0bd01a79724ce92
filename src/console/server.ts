import { signal } from '@preact/signals';

/** Where the app is: the page is in the folder `console/` below it, whatever a proxy puts before that. */
export const base = new URL('../', document.baseURI).href;

/** Kept in memory only: neither in the address nor in any storage. */
export const token = signal('');

/** Whether a header can carry it: a request with anything else would fail before it is sent. */
export const isToken = (text: string): boolean => /^[!-~]*$/.test(text);

/** A refusal of the server, in its own words. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** A request to the app, with the user's token, if there is one. */
export function ask(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
  const all = new Headers(headers);
  if (token.value !== '') all.set('authorization', `Bearer ${token.value}`);
  return fetch(new URL(path, base), { ...init, headers: all, credentials: 'omit', cache: 'no-store' });
}

/** JSON of the console's own endpoints. */
export async function askJson<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await ask(path, init);
  if (!response.ok) throw await refusalOf(response);
  return (await response.json().catch(() => ({}))) as T;
}

/** What a response that is not OK says. */
export async function refusalOf(response: Response): Promise<Refusal> {
  const { status, statusText } = response;
  return new Refusal(messageIn(await response.json().catch(() => ({}))) ?? `${status} ${statusText}`, status);
}

/** The message of a failure, whatever the profile of the app is. */
function messageIn(body: unknown): string | undefined {
  const { error, detail, message } = (body ?? {}) as { error?: unknown; detail?: unknown; message?: unknown };
  const found = [error, (error as { message?: unknown } | undefined)?.message, detail, message];
  return found.find((one) => typeof one === 'string');
}
