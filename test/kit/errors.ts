/** What the code under test wrote to its log as an error, in this process and in servers that were started with the kit. */
let found: string[] = [];
let expected: RegExp[] = [];
let isWatching = false;

/**
 * Says that the tests of this file provoke errors that are logged. Any other error in the log fails the file, so that a real
 * one is seen.
 */
export function expectErrors(...patterns: readonly RegExp[]): void {
  expected.push(...patterns);
}

/** Reads a log: the lines of JSON that an app writes, and what commands print for people. */
export function noteErrors(log: string): void {
  for (const line of log.split('\n')) if (isError(line)) found.push(line);
}

function isError(line: string): boolean {
  return line.startsWith('{"level":"error"') || line.startsWith('error: ');
}

/** Watches what this process prints, and gives it to vitest, which shows it if the test fails. */
export function watchErrors(): void {
  found = [];
  expected = [];
  if (isWatching) return;
  isWatching = true;
  const [printError, print] = [console.error.bind(console), console.log.bind(console)];
  console.error = (...args: unknown[]) => {
    noteErrors(args.map(String).join(' '));
    printError(...args);
  };
  for (const [stream, show] of [[process.stdout, print] as const, [process.stderr, console.error] as const])
    stream.write = ((text: string | Uint8Array, ...rest: readonly unknown[]) => {
      show(
        Buffer.from(text as string)
          .toString()
          .replace(/\n$/, ''),
      );
      const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
      if (done) process.nextTick(done);
      return true;
    }) as typeof stream.write;
}

/** The errors of this file that nothing expected, each once. */
export function unexpectedErrors(): string[] {
  const errors = found.filter((line) => !expected.some((pattern) => pattern.test(line)));
  return [...new Set(errors.map((line) => line.slice(0, 300)))];
}
