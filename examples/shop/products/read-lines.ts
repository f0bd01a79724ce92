import { Failure } from 'everywire';

interface Line {
  readonly number: number;
  readonly text: string;
  /** How many bytes of the file it took. */
  readonly bytes: number;
}

const LONGEST = 1000;

/** The lines of a file, one after the other: the file is never in memory as a whole. */
export async function* readLines(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Line, void> {
  let rest = '';
  let number = 0;
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST) throw new Failure('LINE_TOO_LONG', `Line ${number + lines.length + 1} is too long`);
    for (const line of lines) yield lineOf(line, '\n');
  }
  if (rest !== '') yield lineOf(rest, '');

  function lineOf(line: string, end: string): Line {
    return { number: ++number, text: line.replace(/\r$/, ''), bytes: new TextEncoder().encode(line + end).length };
  }
}
