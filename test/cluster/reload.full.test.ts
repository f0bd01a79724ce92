import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { call, isRunning, startWorkers, until, untilPrinted } from './calling.ts';

const code = (state: string) => `
import { createApp, defineFunction } from ${JSON.stringify(resolve('dist/index.js'))};
const milliseconds = { type: 'integer', description: 'How long' } as const;
const state = defineFunction({
  name: 'State',
  description: 'Says which state of the code runs it',
  input: { type: 'object', properties: { ms: milliseconds } },
  output: { type: 'string', description: 'The state' },
  run: async ({ ms = 2 }) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return ${JSON.stringify(state)};
  },
});
const who = defineFunction({
  name: 'Who', description: 'The process', output: { type: 'integer', description: 'Its id' }, run: () => process.pid,
});
export default createApp({ name: 'Reloaded', version: '1.0.0', functions: [state, who] });
`;

const serves = 'SIGHUP: new processes serve; the previous ones finish their calls';
const timesIn = (text: string, part: string) => text.split(part).length - 1;

describe.concurrent('SIGHUP', () => {
  it(proves('workers.reload', 'under load: no call fails, and then the new code answers'), async () => {
    const module = join(temporaryFolder('reload'), 'app.ts');
    writeFileSync(module, code('old'));
    const served = await startWorkers(module);
    const first = JSON.parse((await call(served.url, 'Who')).body) as { result: number };
    const agent = new Agent({ keepAlive: true, maxSockets: 12 });
    let isOver = false;
    const counts = { old: 0, new: 0 };
    const count = (body: string) => {
      if (body === '{"result":"old"}') counts.old++;
      else if (body === '{"result":"new"}') counts.new++;
      else throw new Error(`a call failed: ${body}`);
    };
    const onKeptConnections = async (pause?: number) => {
      while (!isOver) {
        const sent = request(`${served.url}/functions/State`, { method: 'POST', agent }).end();
        const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
        let body = '';
        for await (const chunk of response) body += String(chunk);
        count(body);
        if (pause !== undefined) await sleep(pause);
      }
    };
    const onNewConnections = async () => {
      while (!isOver) count((await call(served.url, 'State')).body);
    };
    const loads = Promise.all([
      ...Array.from({ length: 8 }, () => onKeptConnections()),
      // Most of these connections are idle at any time.
      ...Array.from({ length: 4 }, () => onKeptConnections(30)),
      ...Array.from({ length: 2 }, onNewConnections),
    ]);
    loads.catch(() => {}); // until the end
    try {
      await until('answers', () => counts.old > 50);
      const long = call(served.url, 'State', { ms: 4000 });
      writeFileSync(module, code('new'));
      served.child.kill('SIGHUP');
      await untilPrinted(served, serves);
      for (let i = 0; i < 4; i++) expect((await call(served.url, 'State')).body).toBe('{"result":"new"}');
      expect((await long).body).toBe('{"result":"old"}');
      await until('it ends', () => !isRunning(first.result));
      const { old } = counts;
      await until('answers', () => counts.new > 50);
      expect(counts.old).toBe(old);
    } finally {
      isOver = true;
      await loads; // none has failed
      agent.destroy();
    }
    expect(await served.stop()).toBe(0);
  });

  it(proves('workers.reload', 'with a mistake in the new code: the previous processes stay'), async () => {
    const module = join(temporaryFolder('reload'), 'app.ts');
    writeFileSync(module, code('old'));
    const served = await startWorkers(module);
    writeFileSync(module, "throw new Error('half-written');\n");
    served.child.kill('SIGHUP');
    await untilPrinted(served, 'the previous ones stay');
    expect(timesIn(served.stderr(), 'half-written')).toBe(1);
    expect((await call(served.url, 'State')).body).toBe('{"result":"old"}');
    writeFileSync(module, code('new'));
    served.child.kill('SIGHUP');
    await untilPrinted(served, serves);
    expect((await call(served.url, 'State')).body).toBe('{"result":"new"}');
    expect(await served.stop()).toBe(0);
  });

  it(proves('workers.reload', 'twice in a row loads what is there after the second'), async () => {
    const module = join(temporaryFolder('reload'), 'app.ts');
    writeFileSync(module, code('one'));
    const served = await startWorkers(module);
    writeFileSync(module, code('two'));
    served.child.kill('SIGHUP');
    await untilPrinted(served, 'SIGHUP: starting new processes');
    await sleep(100);
    writeFileSync(module, code('three'));
    served.child.kill('SIGHUP');
    await untilPrinted(served, serves, 2);
    expect((await call(served.url, 'State')).body).toBe('{"result":"three"}');
    served.child.kill('SIGHUP');
    await untilPrinted(served, 'starting new processes', 3);
    expect(await served.stop()).toBe(0); // also while new ones are being started
  });
});
