import { once } from 'node:events';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { call, isRunning, until } from '../cluster/calling.ts';
import { proves } from '../promises.ts';
import { Project, appModule, stopProjects } from './project.ts';

afterAll(stopProjects);

const GOOD = appModule({ State: 'good', Die: '=process.exit(3)' });
const GOES_ON = /\d\d:\d\d:\d\d not reloaded; the version of \d\d:\d\d:\d\d goes on serving\n/;

const BROKEN = {
  'a syntax error': ['const = 1;\n', 'error: app.ts cannot be loaded: '],
  'a module that throws': ['throw new Error("no database");\n', 'error: app.ts cannot be loaded: no database (app.ts:'],
  'a module that ends the process': [
    'process.exit(0);\n',
    'error: app.ts ended the process while loading (exit code 0)',
  ],
  'a module that is killed': [
    "process.kill(process.pid, 'SIGKILL');\n",
    'the process ended before it could serve (SIGKILL)',
  ],
  'an import that leads nowhere': ["import './nowhere.ts';\n", 'error: app.ts cannot be loaded: Cannot find module'],
  'nothing to serve': ['export {};\n', 'error: app.ts exports no app'],
} as const;

describe('code that cannot be served', () => {
  it.each(Object.entries(BROKEN))(proves('dev.broken', 'the good one goes on: %s'), async (what, [code, reason]) => {
    const project = await Project.started({ 'app.ts': GOOD });
    const broken = what === 'nothing to serve' ? code : `${code}${GOOD}`;
    const printed = await project.reloaded(() => project.write('app.ts', broken), 'goes on serving');
    expect(printed).toContain(reason);
    expect(printed).toMatch(GOES_ON);
    expect(await project.result('State')).toBe('good');
    const recovered = await project.reloaded(() => project.write('app.ts', GOOD.replace('good', 'better')));
    expect(recovered).toMatch(/^\d\d:\d\d:\d\d good again, reloaded in \d+ ms: app\.ts; the contract is the same\n$/);
    expect(await project.result('State')).toBe('better');
  });

  it(proves('dev.broken', 'an app that cannot be created, and one that cannot start'), async () => {
    const project = await Project.started({ 'app.ts': GOOD });
    const twice = GOOD.replace("name: 'Die'", "name: 'State'");
    expect(await project.reloaded(() => project.write('app.ts', twice), 'goes on serving')).toContain('State');
    const start = GOOD.replace("version: '1.0.0'", "version: '1.0.0', start() { throw new Error('no network'); }");
    expect(await project.reloaded(() => project.write('app.ts', start), 'goes on serving')).toContain('no network');
    expect(await project.result('State')).toBe('good');
  });

  it(proves('dev.broken', 'a module that never finishes loading is given up when it is saved again'), async () => {
    const project = await Project.started({ 'app.ts': GOOD });
    project.write('app.ts', `console.error('waiting');\nawait new Promise((r) => setTimeout(r, 60_000));\n${GOOD}`);
    await project.printed('waiting');
    await project.reloaded(() => project.write('app.ts', GOOD.replace('good', 'better')));
    expect(await project.result('State')).toBe('better');
  });

  it(proves('dev.broken', 'from the beginning: calls wait until it can be served'), async () => {
    const project = await Project.started({ 'app.ts': 'const = 1' }, { waits: false, flags: ['--port', '0'] });
    await project.printed('nothing to serve yet; waiting for a change');
    project.write('app.ts', GOOD);
    await project.printed('Ctrl+C ends');
    expect(await project.result('State')).toBe('good');
  });

  it(proves('dev.broken', 'an import that leads nowhere, until the file exists'), async () => {
    const project = await Project.started({ 'app.ts': GOOD });
    const importing = appModule({ State: '=word' }, { before: "import { word } from './words/word.ts';" });
    await project.reloaded(() => project.write('app.ts', importing), 'goes on serving');
    project.write('word.ts', "export const word = 'found';");
    mkdirSync(project.path('words'));
    await project.reloaded(() => renameSync(project.path('word.ts'), project.path('words/word.ts')));
    expect(await project.result('State')).toBe('found');
  });
});

describe('a process that dies', () => {
  it(proves('dev.crash', 'while the code is broken: calls are told so, until a good version is saved'), async () => {
    const project = await Project.started({ 'app.ts': GOOD });
    await project.reloaded(() => project.write('app.ts', `const = 1;\n${GOOD}`), 'goes on serving');
    await expect(call(project.url, 'Die')).rejects.toThrow(/socket hang up|ECONNRESET/);
    const waiting = await call(project.url, 'State'); // it came before anybody knew
    expect(waiting).toEqual({ status: 503, body: '{"error":"The app has ended, and its code is broken"}' });
    const response = await fetch(`${project.url}/functions/State`, { method: 'POST' });
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(response.headers.get('everywire-error-code')).toBe('UNAVAILABLE');
    const mcp = await fetch(`${project.url}/mcp`, { method: 'POST', body: '{}' });
    expect(mcp.status).toBe(503);
    expect(await mcp.json()).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
    expect(project.log.split('goes on serving')).toHaveLength(2);
    expect(project.log).toContain('has ended, and its files have changed\n  calls are answered with UNAVAILABLE');
    await project.reloaded(() => project.write('app.ts', GOOD.replace('good', 'better')));
    expect(await project.result('State')).toBe('better');
  });

  it(proves('dev.crash', 'and cannot start for a while: it is tried again, without a change'), async () => {
    const before = "import { existsSync } from 'node:fs';\nif (existsSync('down')) throw new Error('no database');";
    const module = appModule({ State: 'good', Die: '=process.exit(3)' }, { before });
    const project = await Project.started({ 'app.ts': module });
    project.write('down', '');
    await expect(call(project.url, 'Die')).rejects.toThrow(/socket hang up|ECONNRESET/);
    await project.printed('the process could not be started again; starting another in 500 ms');
    rmSync(project.path('down'));
    expect(await project.result('State')).toBe('good');
    expect(project.log).not.toContain('goes on serving');
  });
});

const app = (more = '') =>
  appModule({ Process: '=process.pid', State: 'state' }, { before: "import { writeFileSync } from 'node:fs';", more });
const socketFolders = () => readdirSync(tmpdir()).filter((name) => /^everywire-\w{6}$/.test(name));

describe('everywire dev', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(proves('dev.end', '%s ends it, and its call'), async (signal) => {
    const project = await Project.started({ 'app.ts': app() });
    const pid = (await project.result('Process')) as number;
    const waiting = project.result('State', { ms: 30_000 }).catch((error: Error) => error);
    await sleep(200);
    const ended = once(project.child, 'exit');
    project.child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(await waiting).toBeInstanceOf(Error);
    // Killed, which takes the system a moment.
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it(proves('dev.end', 'if it is killed, no process and no file remains'), async () => {
    const before = socketFolders();
    const project = await Project.started({ 'app.ts': app() });
    const pid = (await project.result('Process')) as number;
    expect(socketFolders().length).toBeGreaterThan(before.length);
    project.child.kill('SIGKILL');
    await until('it ends', () => !isRunning(pid));
    const folder = readdirSync(tmpdir());
    expect(socketFolders().filter((name) => !before.includes(name) && folder.includes(name))).toEqual([]);
  });
});
