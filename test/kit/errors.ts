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

/** Watches what this process prints. */
export function watchErrors(): void {
  found = [];
  expected = [];
  if (isWatching) return;
  isWatching = true;
  const write = process.stderr.write.bind(process.stderr);
  const print = console.error.bind(console);
  console.error = (...args: unknown[]) => {
    noteErrors(args.map(String).join(' '));
    print(...args);
  };
  process.stderr.write = ((text: string | Uint8Array, ...rest: never[]) => {
    if (typeof text === 'string') noteErrors(text);
    return write(text, ...rest);
  }) as typeof process.stderr.write;
}

/** The errors of this file that nothing expected, each once. */
export function unexpectedErrors(): string[] {
  const errors = found.filter((line) => !expected.some((pattern) => pattern.test(line)));
  return [...new Set(errors.map((line) => line.slice(0, 300)))];
}
