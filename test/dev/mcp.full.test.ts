import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { call, until } from '../cluster/calling.ts';
import { proves } from '../promises.ts';
import { CLIENTS } from '../share/clients.ts';
import { Project, appModule, stopProjects } from './project.ts';

afterAll(stopProjects);

const ASK = "await context.ask({ type: 'object', properties: { yes: { type: 'boolean' } } }, 'Sure?')";

describe.each(Object.entries(CLIENTS))('the official client %s', (_name, connect) => {
  it(proves('dev.mcp', 'hears of each change, and calls what is new without connecting again'), async () => {
    const project = await Project.started({ 'app.ts': appModule({ First: 'one' }) });
    const client = await connect(project.url);
    expect(await client.list()).toBe(1);
    const names = ['Second', 'Third', 'Fourth'];
    for (const [i, name] of names.entries()) {
      const functions = Object.fromEntries(['First', ...names.slice(0, i + 1)].map((one) => [one, `${one} ${i}`]));
      const printed = await project.reloaded(() => project.write('app.ts', appModule(functions)));
      expect(printed).toContain(`  + ${name}\n  1 MCP client notified\n`);
      await until('the notification', () => client.notified.length === i + 1);
      expect(await client.list()).toBe(i + 2);
      expect(await client.call(name)).toBe(`${name} ${i}`);
      expect(await client.call('First')).toBe(`First ${i}`);
    }
    // Nothing that clients see: nobody is notified.
    const same = appModule(Object.fromEntries(['First', ...names].map((one) => [one, 'same'])));
    expect(await project.reloaded(() => project.write('app.ts', same))).not.toContain('notified');
    expect(await client.call('Fourth')).toBe('same');
    expect(client.notified).toEqual(['tools', 'tools', 'tools']);
    await client.close();
  });

  it(proves('dev.mcp', 'survives a broken version, and a process that dies'), async () => {
    const project = await Project.started({ 'app.ts': appModule({ First: 'one', Die: '=process.exit(3)' }) });
    const client = await connect(project.url);
    await project.reloaded(() => project.write('app.ts', 'const = 1'), 'goes on serving');
    expect(await client.call('First')).toBe('one');
    await project.reloaded(() => project.write('app.ts', appModule({ First: 'two', Die: '=process.exit(3)' })));
    await project.reloaded(() => void call(project.url, 'Die').catch(() => {}));
    expect(await client.call('First')).toBe('two');
    await project.reloaded(() => project.write('app.ts', appModule({ First: 'three', New: 'new' })));
    await until('the notification', () => client.notified.length === 1);
    expect(await client.call('New')).toBe('new');
    await client.close();
  });

  it(proves('dev.mcp', 'answers the question of a call that began before'), async () => {
    const project = new Project();
    const before = "import { setTimeout as sleep } from 'node:timers/promises';";
    const asking = (text: string) => appModule({ Ask: `=(await sleep(1500), ${ASK}, '${text}')` }, { before });
    project.write('app.ts', asking('old'));
    await project.start();
    const client = await connect(project.url);
    const asked = client.call('Ask');
    await sleep(200);
    await project.reloaded(() => project.write('app.ts', asking('new')));
    // In 2026-07-28, the question is answered with a second request, which new code takes.
    expect(await asked).toMatch(/^(?:old|new)$/);
    await client.close();
  });

  it(proves('dev.mcp', 'stays subscribed to resources'), async () => {
    const project = new Project();
    const app = (text: string) =>
      appModule(
        { Change: `=(note.change(), '${text}')` },
        {
          before: `import { defineResource } from ${JSON.stringify(resolve('dist/index.js'))};
const note = { change: () => {} };
const resource = defineResource({ uri: 'note://1', name: 'Note', description: 'A note', read: () => '${text}' });`,
          more: ', resources: [resource]',
        },
      )
        .replace('export default', 'const app =')
        .concat("note.change = () => app.changes.resourceUpdated('note://1');\nexport default app;\n");
    project.write('app.ts', app('old'));
    await project.start();
    const client = await connect(project.url);
    await client.subscribe('note://1');
    // The stream of a client may not be open yet.
    await until('the first change', async () => {
      await client.call('Change');
      return client.notified.length > 0;
    });
    const before = client.notified.length;
    await project.reloaded(() => project.write('app.ts', app('new')));
    expect(await client.call('Change')).toBe('new');
    await until('the second change', () => client.notified.length > before);
    await client.close();
  });
});
