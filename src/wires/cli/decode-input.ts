import { refuse } from '../../core/failure.ts';
import type { Limits } from '../../core/limits.ts';
import type { Failed } from '../../core/outcome.ts';
import { decodeJson, tooLarge } from '../json-body.ts';

/** What decoding needs from the process. */
export interface CliHost {
  readonly limits: Limits;
  readonly stdin: () => AsyncIterable<Uint8Array>;
  readonly readFile: (path: string) => AsyncIterable<Uint8Array>;
  readonly fileExists: (path: string) => boolean;
  /** Not read yet. `-` is stdin. Rejects if there is no such file. */
  readonly openFile: (path: string) => Promise<File>;
}

type Decoded = { readonly input: unknown } | { readonly refused: Failed; readonly hint?: string };

/** The arguments in the value of `--input`: JSON, `@file`, or `-` for stdin. */
export async function decodeInput(text: string | undefined, host: CliHost): Promise<Decoded> {
  const { limits, stdin, readFile, fileExists } = host;
  if (text === undefined) return { input: undefined };
  if (text === '-') return decodeStream(stdin(), limits, 'stdin');
  if (!text.startsWith('@')) {
    return decodeText(new TextEncoder().encode(text), limits, (place) => hintAbout(text, place, fileExists));
  }
  const path = text.slice(1);
  try {
    return await decodeStream(readFile(path), limits, path);
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'cannot read';
    return { refused: refuse('INVALID_ARGUMENTS', `--input: ${reason}: ${path || '(no name after @)'}`) };
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'not a file',
  EACCES: 'not allowed to read',
};

async function decodeStream(bytes: AsyncIterable<Uint8Array>, limits: Limits, name: string): Promise<Decoded> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > limits.body) return { refused: tooLarge(limits.body) };
    chunks.push(chunk);
  }
  return decodeText(Buffer.concat(chunks), limits, (place) => `\n${name}, ${place}`);
}

/** The body of the response is the same on every wire; the hint is only for people who type. */
async function decodeText(bytes: Uint8Array, { depth }: Limits, hint: (place: string) => string): Promise<Decoded> {
  const result = decodeJson(bytes, depth);
  if (!('ok' in result)) return result;
  const { explainJsonMistake } = await import('../../responses/source-mistake.ts');
  return { refused: result, hint: hint(explainJsonMistake(new TextDecoder().decode(bytes))) };
}

/** People type the name of a file, as some programs accept it. */
function hintAbout(text: string, place: string, fileExists: CliHost['fileExists']): string {
  if (/^\s*[[{"]/.test(text)) return `\n--input, ${place}`;
  return fileExists(text)
    ? `\n--input takes JSON; to read a file, use: --input @${text}`
    : `\n--input takes JSON, or @ and the name of a file; there is no file ${text}`;
}
