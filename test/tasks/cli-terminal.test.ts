import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onTerminal as typeOn } from '../kit/on-terminal.ts';
import { proves } from '../promises.ts';
import { shared } from '../kit/broker.ts';
import { hasRedis } from '../kit/redis.ts';
import { APP, everywireWith, startWorker, stop, taskOf } from './commands.ts';
import type { Running } from './commands.ts';

describe.runIf(hasRedis)('tasks on a terminal', () => {
  let redis: { readonly url: string };
  let worker: Running;
  beforeAll(async () => {
    redis = await shared('redis');
    worker = await startWorker(redis.url);
  });
  afterAll(() => stop(worker));

  const onTerminal = (command: string, columns: number, keys: readonly [waitFor: RegExp, key: string][] = []) =>
    typeOn(
      `${process.execPath} dist/bin/everywire.js ${command}`,
      { columns, env: { EVERYWIRE_STORE: redis.url } },
      keys,
    );

  it.each([
    [80, /\r\[=+> *\] +\d+% row \d+ {2}0:0\d {2}[\d.]+\/s/],
    [40, /\r +\d+% row \d+ {2}0:0\d {2}[\d.]+\/s/],
  ])(
    proves('cli.task-wait', 'in %i columns a bar shows message, time and rate, and then the result'),
    async (columns, bar) => {
      const { screen, code } = await onTerminal(`call ${APP} Report --rows 20 --every 200`, columns);
      expect(screen).toMatch(bar);
      expect(screen.replaceAll('\r\n', '\n')).toMatch(/\r +\rrows: +20\nwritten: 2026-01-02T03:04:05\.000Z\n$/);
      for (const drawn of screen.split(/[\r\n]/)) expect(drawn.length).toBeLessThan(columns);
      expect(code).toBe(0);
    },
  );

  it(proves('cli.task-exit', 'Ctrl+C leaves the task running'), async () => {
    const { screen, code } = await onTerminal(`call ${APP} Report --rows 3 --every 1000`, 200, [[/row 1/, '\u0003']]);
    const [, id = ''] = /To wait for it: everywire tasks wait \S+ (\w+)/.exec(screen) ?? [];
    expect([code, screen.includes('error: Interrupted; the task goes on (CANCELLED)')]).toEqual([130, true]);
    const { stdout } = await everywireWith(redis.url)('tasks', 'wait', APP, id);
    expect(stdout).toBe('{"result":{"rows":3,"written":"2026-01-02T03:04:05.000Z"}}');
  });

  it(proves('cli.detach', 'people read the task, and how to wait for it'), async () => {
    const { screen } = await onTerminal(`call ${APP} Divide --x 1 --y 4 --detach`, 200);
    expect(screen).toMatch(/To wait for it: everywire tasks wait \S+ [\da-f]{36}\r\n/);
    expect(screen).toMatch(/\r\nstatus: +working\r\n/);
  });

  it.each(['answer', 'wait'])(proves('cli.task-answer', 'people are asked by tasks %s'), async (action) => {
    const everywire = everywireWith(redis.url);
    const { taskId } = taskOf(await everywire('call', APP, 'Remove', '--what', 'cellar', '--detach'));
    const status = async () => taskOf(await everywire('tasks', 'get', APP, taskId)).status;
    await expect.poll(status, { timeout: 20_000 }).toBe('input_required');
    const keys: [RegExp, string][] = [[/Yes.*No/s, 'y']];
    const { screen, code } = await onTerminal(`tasks ${action} ${APP} ${taskId}`, 80, keys);
    expect([screen.includes('Remove cellar?'), code]).toEqual([true, 0]);
    expect(screen).toContain(action === 'wait' ? 'Removed cellar' : 'Done.');
    const { stdout } = await everywire('tasks', 'wait', APP, taskId);
    expect(stdout).toBe('{"result":"Removed cellar"}');
  });

  it(proves('cli.task-answer', 'who leaves the question has answered nothing'), async () => {
    const everywire = everywireWith(redis.url);
    const { taskId } = taskOf(await everywire('call', APP, 'Remove', '--what', 'cellar', '--detach'));
    const status = async () => taskOf(await everywire('tasks', 'get', APP, taskId)).status;
    await expect.poll(status, { timeout: 20_000 }).toBe('input_required');
    const { code } = await onTerminal(`tasks answer ${APP} ${taskId}`, 80, [[/Yes.*No/s, '\u0003']]);
    expect([code, await status()]).toEqual([130, 'input_required']);
  });

  it(proves('cli.tasks', 'a table keeps the ids whole in 40 columns'), async () => {
    const { taskId } = taskOf(
      await everywireWith(redis.url)('call', APP, 'Divide', '--x', '1', '--y', '2', '--detach'),
    );
    const { screen } = await onTerminal(`tasks list ${APP}`, 40);
    expect(screen).toMatch(new RegExp(`\\n${taskId}\\r\\n  Divide`));
    for (const line of screen.split('\r\n')) expect(line.length).toBeLessThanOrEqual(40);
  });
});
