import { Redis } from 'ioredis';
import { createApp } from 'everywire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shared } from '../kit/broker.ts';
import { hasRedis } from '../kit/redis.ts';
import { fn, object, silent, string } from '../kit/functions.ts';

const CANARY = 'canary-5f2c9b';
const KEY = 'k'.repeat(32);
const greet = fn(
  'Greet',
  { task: 'always', input: object({ first: string }), output: string },
  async (input, { ask }) => {
    return `${input.first} ${(await ask(object({ name: string }), 'And?')).name}`;
  },
);

const create = (store: string, app: string) =>
  createApp({ name: app, version: '1.0.0', functions: [greet], store, log: silent });

/** Everything that Redis has. */
async function contents(url: string): Promise<string> {
  const redis = new Redis(url);
  const parts: string[] = [];
  for (const key of await redis.keys('*')) {
    const type = await redis.type(key);
    if (type === 'hash') parts.push(JSON.stringify(await redis.hgetall(key)));
    else if (type === 'string') parts.push((await redis.get(key)) ?? '');
    else if (type === 'stream') parts.push(JSON.stringify(await redis.xrange(key, '-', '+')));
    else parts.push((await redis.dump(key)) ?? '');
  }
  redis.disconnect();
  return parts.join('\n');
}

describe.skipIf(!hasRedis)('EVERYWIRE_TASK_KEY', () => {
  let url: string;
  beforeAll(async () => void ({ url } = await shared('redis')));
  afterAll(() => void delete process.env['EVERYWIRE_TASK_KEY']);

  async function walk(app: ReturnType<typeof create>): Promise<unknown> {
    await app.tasks.work();
    const { outcome } = await app.respond({
      name: 'Greet',
      input: { first: `${CANARY}-argument` },
      caller: { wire: 'test' },
      deferral: { caller: 'accepts', askable: ['elicitation/create'] },
    });
    const { taskId } = outcome.ok ? outcome.task! : expect.unreachable();
    const get = async () => (await app.operations.respond({ name: 'tasks/get', input: { taskId } })).outcome as any;
    await expect.poll(async () => (await get()).data.task.status, { timeout: 30_000 }).toBe('input_required');
    const answer = { action: 'accept', content: { name: `${CANARY}-answer` } };
    await app.operations.respond({ name: 'tasks/update', input: { taskId, inputResponses: { question1: answer } } });
    await expect.poll(async () => (await get()).data?.task.status, { timeout: 30_000 }).toBe('completed');
    return (await get()).data.outcome.data;
  }

  test('without it, whoever can read the store can read arguments, answers and results', async () => {
    const app = create(url, 'Open');
    expect(await walk(app)).toBe(`${CANARY}-argument ${CANARY}-answer`);
    await app.close();
    expect(await contents(url)).toContain(CANARY);
    const client = new Redis(url);
    await client.flushdb();
    client.disconnect();
  });

  test('with it, nobody can; another key opens nothing, an old key does', async () => {
    process.env['EVERYWIRE_TASK_KEY'] = KEY;
    const app = create(url, 'Sealed');
    expect(await walk(app)).toBe(`${CANARY}-argument ${CANARY}-answer`);
    const [{ task }] = ((await app.operations.respond({ name: 'tasks/list', input: {} })).outcome as any).data;
    await app.close();
    expect(await contents(url)).not.toContain(CANARY);

    const read = async (key: string | undefined) => {
      if (key === undefined) delete process.env['EVERYWIRE_TASK_KEY'];
      else process.env['EVERYWIRE_TASK_KEY'] = key;
      const reader = create(url, 'Sealed');
      const { outcome } = await reader.operations.respond({ name: 'tasks/get', input: { taskId: task.taskId } });
      await reader.close();
      return outcome.ok ? (outcome.data as any).outcome.data : outcome.error.code;
    };
    expect(await read('x'.repeat(32))).toBe('UNAVAILABLE');
    expect(await read(undefined)).toBe('UNAVAILABLE');
    await expect(read('short')).rejects.toThrow('EVERYWIRE_TASK_KEY must be a string of at least 32 characters');
    expect(await read(`${'n'.repeat(40)},${KEY}`)).toBe(`${CANARY}-argument ${CANARY}-answer`);
    const client = new Redis(url);
    await client.hset(`everywire:{Sealed}:tasks:task:${task.taskId}`, 'outcome', '{"ok":true,"data":"forged"}');
    client.disconnect();
    expect([await read(KEY), await read(`${KEY},unencrypted`)]).toEqual(['UNAVAILABLE', 'forged']);
  });
});
