import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { isRunning, processOf, processesAt, until } from './calling.ts';

const COMMAND = `exec ${process.execPath} dist/bin/everywire.js serve test/apps/workers.ts --workers 2 --port 0`;

/** A server in the foreground of a terminal. */
async function onTerminal() {
  const child = spawn('script', ['-qefc', COMMAND, '/dev/null'], { env: { ...process.env, NO_COLOR: '1' } });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text));
  await until('the banner', () => screen.includes('Processes 2'));
  const [url = ''] = /http:\/\/[\d.:]+/.exec(screen) ?? [];
  return { child, url, screen: () => screen };
}

describe.concurrent('several processes on a terminal', () => {
  it(proves('workers.stop', 'print their calls, and finish them after Ctrl+C, which all of them get'), async () => {
    const { child, url, screen } = await onTerminal();
    const pids = await processesAt(url);
    await until('the lines', () => screen().match(/http functions\.Who OK [\d.]+ ms/g)?.length === 12);
    const waiting = processOf(url, 'Wait', { ms: 1000 });
    await processOf(url, 'Wait', { ms: 200 });
    const ended = once(child, 'exit');
    child.stdin.write('\x03');
    expect(pids).toContain(await waiting);
    expect(await ended).toEqual([0, null]);
    expect(screen().match(/SIGINT: finishing the calls in progress/g)).toHaveLength(1);
  });

  it(proves('workers.stop', 'end if the terminal is closed, which sends SIGHUP'), async () => {
    const { child, url } = await onTerminal();
    const pids = await processesAt(url);
    child.kill('SIGKILL');
    await until('they end', () => ![...pids].some(isRunning));
    await expect(processOf(url)).rejects.toThrow('ECONNREFUSED');
  });
});
