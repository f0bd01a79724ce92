import { ask } from './server.ts';
import { eventsIn } from './sse.ts';
import type { Details, Profile } from './types.ts';
import { toRequestBody } from './upload.ts';

export interface Progress {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

/** What a call returned. */
export interface Answer {
  readonly status: number;
  readonly code: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly type: string;
  /** Milliseconds, as this page measured them. */
  readonly duration: number;
  readonly bytes: number;
}

interface Watching {
  readonly signal: AbortSignal;
  /** Undefined to ask for the answer alone, without progress. */
  readonly onProgress?: (progress: Progress) => void;
  readonly onChunk?: (chunk: unknown) => void;
  /** Whether the answer may come later, as that of a task. */
  readonly isTask?: boolean;
}

/** Calls a function over HTTP, as curl would. */
export async function call(fn: Details, input: string, profile: Profile, watching: Watching): Promise<Answer> {
  const start = performance.now();
  const { body, type: sent } = toRequestBody(fn.inputSchema, input, fn.takesFiles);
  const response = await ask(`functions/${encodeURIComponent(fn.name)}?profile=${profile}`, {
    method: 'POST',
    headers: {
      'content-type': sent,
      ...(watching.isTask && { prefer: 'respond-async' }),
      accept: watching.onProgress ? 'text/event-stream, application/json;q=0.5' : 'application/json, */*;q=0.5',
    },
    body,
    signal: watching.signal,
  });
  const type = response.headers.get('content-type') ?? '';
  const isStream = type.startsWith('text/event-stream');
  const read = isStream ? await readStream(response, watching) : await readBody(response, type);
  return {
    status: response.status,
    code: response.headers.get('everywire-error-code') ?? (response.ok ? 'OK' : String(response.status)),
    headers: [...response.headers],
    type,
    duration: performance.now() - start,
    bytes: new TextEncoder().encode(read.body).length,
    ...read,
  };
}

async function readBody(response: Response, type: string): Promise<Pick<Answer, 'body'>> {
  if (/json|^text\//.test(type)) return { body: await response.text() };
  // A file: shown as what it would be in JSON.
  const blob = await response.blob();
  const name = /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { body: JSON.stringify({ result: { name, type: blob.type, data: await toBase64(blob) } }) };
}

async function readStream(
  response: Response,
  { onProgress, onChunk }: Watching,
): Promise<Pick<Answer, 'body'> & Partial<Answer>> {
  for await (const { event, data } of eventsIn(response)) {
    if (event === 'progress') onProgress?.(JSON.parse(data) as Progress);
    if (event === 'chunk') onChunk?.(JSON.parse(data));
    if (event === 'result') return { body: data };
    if (event === 'error') {
      const { code, status } = JSON.parse(data) as { code: string; status: number };
      // The body as it was written: the last field, up to the closing brace.
      return { body: data.slice(data.indexOf('"body":') + 7, -1), code, status };
    }
  }
  throw new Error('The stream ended without an answer');
}

export async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}
