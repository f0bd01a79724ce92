import { mkdirSync, rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '../cluster/calling.ts';
import { proves } from '../promises.ts';
import { CLIENTS } from '../share/clients.ts';
import { Project, stopProjects } from './project.ts';

afterAll(stopProjects);

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
    const project = new Project();
    const point = `import type { Point } from './shapes.ts';\n/** Makes a point */\nexport function Make(n: number): Point { return { x: n } as never }\n`;
    project.write('shapes.ts', shape('x: number'));
    project.write('math.ts', ADD + point);
    await project.start({ modules: ['math.ts'] });
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

  it(proves('dev.broken', 'a syntax error, and what cannot be served, are printed with their place'), async () => {
    const project = await Project.started({ 'math.ts': ADD }, { modules: ['math.ts'] });
    expect(
      await project.reloaded(() => project.write('math.ts', `${ADD}export function (`), 'goes on serving'),
    ).toContain('math.ts:7');
    expect(await project.result('Add', { x: 1, y: 2 })).toBe(3);
    const bad = '/** Maps */\nexport function Map(f: (x: number) => number): number { return f(1) }\n';
    const printed = await project.reloaded(() => project.write('math.ts', ADD + bad));
    expect(printed).toContain('math.ts:8:21');
    expect(await project.result('Add', { x: 1, y: 2 })).toBe(3);
  });

  it(proves('dev.watch', 'several modules, and a folder to which one is added'), async () => {
    const project = new Project();
    mkdirSync(project.path('more'));
    project.write('more/add.ts', ADD);
    project.write('one.ts', ADD.replace('function Add', 'function One'));
    await project.start({ modules: ['one.ts', 'more'] });
    expect(
      await project.reloaded(() => project.write('more/two.ts', ADD.replace('function Add', 'function Two'))),
    ).toContain('  + Two\n');
    expect(await project.result('Two', { x: 1, y: 2 })).toBe(3);
    expect(await project.reloaded(() => rmSync(project.path('more/add.ts')))).toContain('  - Add (breaking)\n');
    expect(
      await project.reloaded(() => project.write('one.ts', ADD.replace('function Add', 'function Three'))),
    ).toContain('  + Three\n');
  });
});
