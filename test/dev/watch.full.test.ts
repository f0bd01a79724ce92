import { appendFileSync, copyFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../cluster/calling.ts';
import { proves } from '../promises.ts';
import { Project, appModule, stopProjects } from './project.ts';

afterAll(stopProjects);

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

let project: Project;
beforeAll(async () => {
  project = new Project();
  project.write('app.ts', main);
  project.write('state.ts', stateIs('start'));
  project.write('types.ts', 'export type Shape = number;\n');
  project.write('dynamic.ts', "export const dynamic = 'start';\n");
  project.write('data.json', '{"value": "start"}');
  project.write('.env', 'WORD=start\n');
  await project.start({ flags: ['--env-file', '.env'] });
});

describe('watching', () => {
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

  it(proves('dev.watch', 'many saves in a row: the last one is served'), async () => {
    for (let i = 0; i < 30; i++) {
      project.write('state.ts', stateIs(`row ${i}`));
      await sleep(i % 7 === 0 ? 120 : 15);
    }
    await until('the last one', async () => (await project.result('State')) === 'row 29');
  });

  it(proves('dev.watch', 'saving without a change, or another file, loads nothing'), async () => {
    await sleep(300);
    const before = project.log;
    project.write('state.ts', stateIs('row 29'));
    project.write('other.ts', 'export {};');
    copyFileSync(project.path('types.ts'), project.path('copy.ts'));
    await sleep(1500);
    expect(project.log).toBe(before);
  });

  it(proves('dev.watch', 'a file that is imported only now'), async () => {
    mkdirSync(project.path('more'));
    project.write('more/index.ts', "export const state = 'more';\n");
    await project.reloaded(() => project.write('state.ts', "export { state } from './more/index.ts';\n"));
    await project.reloaded(() => project.write('more/index.ts', "export const state = 'even more';\n"));
    expect(await project.result('State')).toBe('even more');
  });
});
