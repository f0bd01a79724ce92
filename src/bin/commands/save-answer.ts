import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { render } from '../../app/respond.ts';
import type { Answer } from '../../app/respond.ts';
import { refuse } from '../../core/failure.ts';
import { returnsBytes } from '../../core/file-outputs.ts';
import { isFileHandle } from '../../core/file-handle.ts';
import type { Profile } from '../../responses/profiles/profile.ts';
import type { CliReplyOptions } from '../../wires/cli/encode.ts';
import type { Process } from '../process.ts';
import type { CommandCall } from './answer.ts';

/** Calls, and writes the result to a file: the bytes of a returned file, returned bytes, or the exact body. Failures are printed to stderr, as without --out. */
export async function saveAnswer(
  call: CommandCall,
  typed: string,
  respond: () => Promise<Answer>,
  profile: Profile,
  options: Omit<CliReplyOptions, 'isTerminal'>,
): Promise<void> {
  const { proc, app } = call;
  const out = typed === '-' ? '-' : proc.resolve(typed);
  const problem = out === '-' ? undefined : await problemWith(out, typed);
  if (problem)
    return void call.answer(render(refuse('INVALID_ARGUMENTS', `--out: ${problem}`), undefined, profile), options);
  const answered = await respond();
  if (!answered.outcome.ok) return void call.answer(answered, options);
  try {
    const bytes = bytesOf(answered);
    if (out === '-') await print(proc, bytes);
    else await save(bytes, out);
    call.answer(answered, { ...options, isSaved: true });
  } catch (thrown) {
    const failure = app.reportError(thrown, { operationId: answered.fn?.operationId, part: 'cli' });
    call.answer(render(failure, answered.fn, profile), options);
  }
}

/** Before the call, which may have effects. */
async function problemWith(out: string, typed: string): Promise<string | undefined> {
  const folder = await stat(dirname(out)).catch(() => undefined);
  if (!folder?.isDirectory()) return `there is no folder ${JSON.stringify(dirname(typed))}`;
  const there = await stat(out).catch(() => undefined);
  return there?.isDirectory() ? `${JSON.stringify(typed)} is a folder` : undefined;
}

function bytesOf({ outcome, body, fn }: Answer): AsyncIterable<Uint8Array> {
  if (outcome.ok && !outcome.task && fn && returnsBytes(fn.returned) && typeof outcome.data === 'string')
    return Readable.from([Buffer.from(outcome.data, 'base64')]);
  const isFile = outcome.ok && isFileHandle(outcome.data);
  return isFile ? Readable.fromWeb(outcome.data.stream() as never) : Readable.from([Buffer.from(body)]);
}

async function print(proc: Process, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const { write } = proc.claimStdoutSync();
  for await (const chunk of bytes) await new Promise<void>((resolve) => write(chunk, resolve));
}

/** Whole or not at all: written next to the file, then renamed. What is no file, such as /dev/null, is written to. */
async function save(bytes: AsyncIterable<Uint8Array>, out: string): Promise<void> {
  const there = await stat(out).catch(() => undefined);
  if (there && !there.isFile()) return pipeline(bytes, createWriteStream(out));
  const partial = join(dirname(out), `.${basename(out)}.${randomUUID()}.part`);
  try {
    await pipeline(bytes, createWriteStream(partial, { flags: 'wx' }));
    await rename(partial, out);
  } catch (thrown) {
    await rm(partial, { force: true });
    throw thrown;
  }
}
