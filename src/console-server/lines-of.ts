const NEWLINE = 10;

/** Takes bytes as they come, and calls back with each line that has ended. Every byte is looked at once, however long a line is. */
export function linesOf(onLine: (line: string) => void): (chunk: Buffer) => void {
  let unfinished: Buffer[] = [];
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      onLine(Buffer.concat([...unfinished, chunk.subarray(from, end)]).toString());
      unfinished = [];
      from = end + 1;
    }
    if (from < chunk.length) unfinished.push(chunk.subarray(from));
  };
}
