import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { command } from '../kit/command.ts';
import { shownBy } from '../kit/on-terminal.ts';
import { proves } from '../promises.ts';

const CALL = 'node dist/bin/everywire.js call';
const EXAMPLE = 'examples/streaming/app.ts';
const STREAMS = 'test/apps/streams.ts';

/** What is left on the screen: \r goes back to the beginning of a line. */
function screen(output: string): string {
  const lines = output.split('\n').map((line) => {
    let shown = '';
    for (const part of line.split('\r')) shown = part + shown.slice(part.length);
    return shown.trimEnd();
  });
  return lines.join('\n');
}

describe.concurrent('on a terminal', () => {
  it(proves('stream.live', 'strings appear one after the other, and are not repeated as the result'), async () => {
    expect(await shownBy(`${CALL} ${EXAMPLE} Tell`)).toMatch(/^Once upon a time [^\n]* the end\.\n$/);
  });

  it.each([
    ['anything else is a line of JSON, and the result comes last', 'Count --to 3', '1\n2\n3\n6\n'],
    [
      'an error comes on a line of its own',
      'CountThenFail --to 2; echo "exit $?"',
      '1\n2\nerror: Lost count after 2 (LOST)\nexit 1\n',
    ],
    ['--json prints the body alone', 'Count --to 3 --json', '{"result":6}\n'],
  ])(proves('stream.live', '%s'), async (_title, line, screened) => {
    expect(await shownBy(`${CALL} ${STREAMS} ${line}`, { NO_COLOR: '1' })).toBe(screened);
  });

  it(proves('stream.progress', 'progress is a bar that disappears, without escape sequences'), async () => {
    const output = await shownBy(`${CALL} ${EXAMPLE} Import --rows 5 --every 120`);
    expect(output).toMatch(/\[=+> +\] +\d+% row \d/);
    expect(output).not.toContain('\u001b');
    expect(screen(output)).toBe('5\n');
  });

  it(proves('stream.progress', 'the bar is on stderr: in a pipe, stdout has only the body'), async () => {
    const output = await shownBy(`${CALL} ${EXAMPLE} Import --rows 3 --every 120 | cat > /dev/stdout`);
    expect(output).toMatch(/\d+% row \d/);
    expect(screen(output)).toBe('{"result":3}');
  });

  it(proves('stream.progress', 'a dumb terminal shows no bar'), async () => {
    expect(await shownBy(`${CALL} ${EXAMPLE} Import --rows 3 --every 120`, { TERM: 'dumb' })).toBe('3\n');
  });

  it(proves('stream.progress', 'text without a line break is not overwritten'), async () => {
    expect(screen(await shownBy(`${CALL} ${STREAMS} Steps`))).toBe('ab\nend\n');
  });
});

describe.concurrent('in a pipe', () => {
  const call = (...args: string[]) => command(['call', ...args]);

  it(proves('stream.same-body', 'there is only the exact body, and nothing on stderr'), async () => {
    expect(await call(STREAMS, 'Steps')).toEqual({ stdout: '{"result":"end"}', stderr: '', code: 0 });
  });

  it(proves('stream.progress', '--stream prints events'), async () => {
    const { stdout } = await call(STREAMS, 'Steps', '--stream');
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { event: 'chunk', data: 'a' },
      { event: 'progress', data: { done: 2, total: 3, message: 'two' } },
      { event: 'chunk', data: 'b' },
      { event: 'progress', data: { done: 3, total: 3 } },
      { event: 'result', data: { result: 'end' } },
    ]);
  });

  it(proves('stream.errors', '--stream ends with the error, and the exit code is that of the failure'), async () => {
    const { stdout, stderr, code } = await call(STREAMS, 'CountThenFail', '--to', '1', '--stream');
    expect(stdout).toBe(
      '{"event":"chunk","data":1}\n{"event":"error","data":{"code":"LOST","status":409,"retry":false,"retryAfter":2,"body":{"error":"Lost count after 1"}}}\n',
    );
    expect({ stderr, code }).toEqual({ stderr: 'error: Lost count after 1 (LOST)\n', code: 1 });
  });

  it(proves('stream.leaves', 'a reader that stops early is not an error'), async () => {
    const { stdout, stderr } = await promisify(execFile)('bash', [
      '-c',
      `${CALL} ${STREAMS} Count --to 100000 --stream | head -1; echo "\${PIPESTATUS[0]}"`,
    ]);
    expect({ stdout, stderr }).toEqual({ stdout: '{"event":"chunk","data":1}\n0\n', stderr: '' });
  });
});
