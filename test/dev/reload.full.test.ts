import { once } from 'node:events';
import { appendFileSync, copyFileSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../cluster/calling.ts';
import { proves } from '../promises.ts';
import { CLIENTS } from '../share/clients.ts';
import { Project, appModule, stopProjects } from './project.ts';

afterAll(stopProjects);

/** A call on a kept connection, without any retries. */
async function callKept(url: string, agent: Agent): Promise<string> {
  const sent = request(`${url}/functions/State`, { method: 'POST', agent }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return textOf(response);
}

describe('a file that is saved', () => {
  it(proves('dev.reload', 'twenty times under load: no call fails, and each state is seen at once'), async () => {
    const project = await Project.started({ 'app.ts': appModule({ State: '0' }) });
    const agent = new Agent({ keepAlive: true, maxSockets: 6 });
    let isOver = false;
    let saved = 0;
    let served = 0;
    let calls = 0;
    const load = Array.from({ length: 6 }, async () => {
      while (!isOver) {
        const from = served;
        const { result } = JSON.parse(await callKept(project.url, agent)) as { result: string };
        expect(Number(result)).toBeGreaterThanOrEqual(from);
        expect(Number(result)).toBeLessThanOrEqual(saved);
        calls++;
        await sleep(3);
      }
    });
    for (saved = 1; saved <= 20; saved++) {
      await project.reloaded(() => project.write('app.ts', appModule({ State: String(saved) })));
      served = saved;
    }
    saved = 20;
    isOver = true;
    await Promise.all(load);
    agent.destroy();
    expect(calls).toBeGreaterThan(100);
    expect(await project.result('State')).toBe('20');
  });
});

const main = appModule(
  { State: '=state', Dynamic: '=dynamic', Data: '=data.value', Variable: "=context.env.get('WORD')" },
  {
    before: `import { state } from './state.ts';
import type { Shape } from './types.ts';
import data from './data.json' with { type: 'json' };
const { dynamic } = await import('./' + ['dyn', 'amic'].join('') + '.ts');
const shape: Shape = 1;`,
  },
);
const stateIs = (text: string) => `export const state = ${JSON.stringify(text)};\n`;

/** The ways in which editors save a file. */
const SAVES: Record<string, (path: string, text: string) => void | Promise<void>> = {
  'in place': writeFileSync,
  'by renaming a temporary file': (path, text) => {
    writeFileSync(`${path}.tmp~`, text);
    renameSync(`${path}.tmp~`, path);
  },
  'by moving the old file away': (path, text) => {
    renameSync(path, `${path}~`);
    writeFileSync(path, text);
    rmSync(`${path}~`);
  },
  'by removing it first': async (path, text) => {
    rmSync(path);
    await sleep(60);
    writeFileSync(path, text);
  },
  'in pieces': async (path, text) => {
    writeFileSync(path, text.slice(0, 10));
    await sleep(10);
    appendFileSync(path, text.slice(10));
  },
  'with the time of another file': (path, text) => {
    writeFileSync(`${path}.new`, text);
    utimesSync(`${path}.new`, 1000, 1000);
    renameSync(`${path}.new`, path);
  },
};

describe('watching', () => {
  let project: Project;
  beforeAll(async () => {
    const files = {
      'app.ts': main,
      'state.ts': stateIs('start'),
      'types.ts': 'export type Shape = number;\n',
      'dynamic.ts': "export const dynamic = 'start';\n",
      'data.json': '{"value": "start"}',
      '.env': 'WORD=start\n',
    };
    project = await Project.started(files, { flags: ['--env-file', '.env'] });
  });

  it.each(Object.entries(SAVES))(proves('dev.watch', 'a file that is saved %s'), async (how, save) => {
    await project.reloaded(() => void save(project.path('state.ts'), stateIs(how)));
    expect(await project.result('State')).toBe(how);
  });

  it.each([
    ['Dynamic', 'dynamic.ts', "export const dynamic = 'changed';\n"],
    ['Data', 'data.json', '{"value": "changed"}'],
    ['Variable', '.env', 'WORD=changed\n'],
  ])(proves('dev.watch', '%s: what is imported or read in other ways'), async (name, file, text) => {
    expect(await project.result(name)).toBe('start');
    await project.reloaded(() => project.write(file, text));
    expect(await project.result(name)).toBe('changed');
  });

  it(proves('dev.watch', 'types, which no code loads; settings that are there, and those to come'), async () => {
    await project.reloaded(() => project.write('types.ts', 'export type Shape = 1;\n'));
    await project.reloaded(() => project.write('tsconfig.json', '{}'));
    await project.reloaded(() => project.write('everywire.config.json', '{"dev": {"quiet": true}}'));
    const printed = await project.reloaded(
      () => project.write('everywire.config.json', '{"dev": {"quite": true}}'),
      'goes on serving',
    );
    expect(printed).toContain('unknown option "dev.quite" (did you mean "quiet"?)');
    await project.reloaded(() => rmSync(project.path('everywire.config.json')));
  });

  it(proves('dev.watch', 'saving without a change, or another file, loads nothing'), async () => {
    await sleep(300);
    const before = project.log;
    project.write('state.ts', readFileSync(project.path('state.ts'), 'utf8'));
    project.write('other.ts', 'export {};');
    copyFileSync(project.path('types.ts'), project.path('copy.ts'));
    await sleep(1500);
    expect(project.log).toBe(before);
  });
});

const ADD = `/**
 * Adds two numbers
 * @param x The first
 * @param y The second
 */
export function Add(x: number, y: number): number { return x + y }
`;
const shape = (fields: string) => `export interface Point { ${fields} }\n`;

describe('plain functions', () => {
  it(proves('dev.reload', 'are served again when they, their types or their code change'), async () => {
    const point = `import type { Point } from './shapes.ts';\n/** Makes a point */\nexport function Make(n: number): Point { return { x: n } as never }\n`;
    const files = { 'shapes.ts': shape('x: number'), 'math.ts': ADD + point };
    const project = await Project.started(files, { modules: ['math.ts'] });
    expect(await project.result('Add', { x: 1, y: 2 })).toBe(3);
    const client = await CLIENTS['2.x, 2026-07-28']!(project.url);

    const changed = ADD.replace('y: number)', 'y: string, z?: number)').replace('x + y', 'x + Number(y) + 10');
    expect(await project.reloaded(() => project.write('math.ts', changed + point))).toMatch(
      /math\.ts\n {2}~ Add: parameter y is now string, was number \(breaking\)\n {2}~ Add: parameter z added\n {2}1 MCP client notified\n$/,
    );
    expect(await project.result('Add', { x: 1, y: '2' })).toBe(13);
    expect(await project.reloaded(() => project.write('shapes.ts', shape('x: number; y?: string')))).toContain(
      'shapes.ts\n  ~ Make: result.y added\n',
    );
    await until('the notifications', () => client.notified.length === 2);
    await client.close();
  });
});

// docs/dev.md, as a reader would do it.
const page = readFileSync('docs/dev.md', 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);
// Other versions of Node explain a syntax error in other words.
const withoutTimes = (text: string) =>
  text
    .replaceAll(/\d\d:\d\d:\d\d/g, 'TIME')
    .replaceAll(/\d+ ms/g, 'MS')
    .replaceAll(/loaded: .* (\(\S+?:\d+)(?::\d+)?\)/g, 'loaded: WHY $1)');

it(proves('dev.contract', 'the page shows what is printed'), async () => {
  const [first = '', second = ''] = blocks('ts');
  const [changed = '', broken = ''] = blocks('text').map(withoutTimes);
  expect(blocks('sh')).toEqual(['npx everywire dev math.ts\n']);
  const project = await Project.started({ 'math.ts': first }, { modules: ['math.ts'] });
  expect(withoutTimes(await project.reloaded(() => project.write('math.ts', second)))).toBe(changed);
  const printed = await project.reloaded(() => project.write('math.ts', `${second.trimEnd()}\n}\n`), 'goes on serving');
  const again = await project.reloaded(() => project.write('math.ts', second));
  expect(withoutTimes(printed + again)).toBe(broken);
});
