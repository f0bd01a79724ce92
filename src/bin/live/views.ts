import type { Answer } from '../../app/respond.ts';
import type { Progress } from '../../core/context.ts';
import { success } from '../../core/outcome.ts';
import { streamTo } from '../../stdout/stream.ts';
import type { CliReplyOptions } from '../../wires/cli/encode.ts';
import { toNdjson } from '../../wires/stream-events.ts';
import type { Process } from '../process.ts';

export interface Shown {
  readonly answer: Answer;
  readonly options: Pick<CliReplyOptions, 'isStream' | 'isShown'>;
}

/** How the chunks of a call are printed while it runs. */
export interface View {
  readonly chunk: (chunk: unknown) => Promise<void>;
  readonly progress?: (progress: Progress) => void;
  /** Resolves when everything is written, with the answer that is to be printed after it, and how. */
  end(answer: Answer): Promise<Shown>;
}

/** Events as NDJSON, no faster than the reader takes them. `onGone` is called if there is no reader any more. */
export function eventView(proc: Process, onGone: () => void): View {
  const output = streamTo(proc.claimStdoutSync());
  let isGone = false;
  output.on('error', () => {
    isGone = true;
    onGone();
  });
  const write = (text: string) => new Promise<void>((resolve) => output.write(text, () => resolve()));
  return {
    chunk: (chunk) => write(toNdjson('chunk', JSON.stringify(chunk))),
    progress(progress) {
      if (!output.writableNeedDrain) void write(toNdjson('progress', JSON.stringify(progress)));
    },
    async end(answer) {
      if (!isGone) await write('');
      // A reader may stop early, like `head`. That is not an error, and there is nobody to tell.
      if (isGone) return { answer: { ...answer, outcome: success(undefined) }, options: { isShown: true } };
      return { answer, options: { isStream: true } };
    },
  };
}

/** Longer texts are not compared with the result: it is printed again. */
const MAX_COMPARED = 1_048_576;

/** For people: strings one after the other, and anything else as a line of JSON. */
export function textView(proc: Process): View {
  const { write } = proc.claimStdoutSync();
  const print = (text: string) => new Promise<void>((resolve) => write(text, resolve));
  /** The strings so far; undefined if there was anything else, or too much. */
  let told: string | undefined = '';
  let isInLine = false;
  return {
    async chunk(chunk) {
      const isText = typeof chunk === 'string';
      if (told !== undefined) told = isText && told.length < MAX_COMPARED ? told + chunk : undefined;
      const text = isText ? chunk : `${isInLine ? '\n' : ''}${JSON.stringify(chunk)}\n`;
      if (text === '') return;
      isInLine = !text.endsWith('\n');
      await print(text);
    },
    async end(answer) {
      if (isInLine) await print('\n');
      const { outcome } = answer;
      return { answer, options: { isShown: outcome.ok && told !== '' && outcome.data === told } };
    },
  };
}
