import { isRecord } from '../schema/json-schema.ts';

/** For everything that one answer of an authorization server takes, in milliseconds. */
const TIMEOUT = 5000;

const MOST_BYTES = 512 * 1024;

export const timeout = (): AbortSignal => AbortSignal.timeout(TIMEOUT);

/** Fetches a small answer. Redirects are not followed: they could lead anywhere. */
export async function fetchBounded(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' }).catch((error: unknown) => {
    throw new Error(`${url} cannot be reached: ${reasonOf(error)}`);
  });
  const { status, headers } = response;
  const body = await readBounded(response, url);
  return new Response(body.size === 0 ? null : body, { status, headers });
}

/** Fetches a JSON object. */
export async function fetchJson(url: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetchBounded(url, { headers: { accept: 'application/json' }, signal });
  if (response.status !== 200) throw new Error(`${url} answers with status ${response.status}`);
  const data: unknown = await response.json().catch((cause: unknown) => {
    throw new Error(`${url} does not answer with a JSON object`, { cause });
  });
  if (!isRecord(data)) throw new Error(`${url} does not answer with a JSON object`);
  return data;
}

async function readBounded({ body }: Response, url: string): Promise<Blob> {
  const parts: BlobPart[] = [];
  let size = 0;
  try {
    for await (const part of (body ?? []) as AsyncIterable<Uint8Array<ArrayBuffer>>) {
      size += part.byteLength;
      if (size > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes`);
      parts.push(part);
    }
  } catch (error) {
    throw new Error(`The answer of ${url} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
  return new Blob(parts);
}

/** `fetch` says only that it failed; its cause says why. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message;
}
