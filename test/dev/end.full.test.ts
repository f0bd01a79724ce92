import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { isRunning, until } from '../cluster/calling.ts';
import { proves } from '../promises.ts';
import { Project, appModule, stopProjects } from './project.ts';

afterAll(stopProjects);

const app = (more = '') =>
  appModule({ Process: '=process.pid', State: 'state' }, { before: "import { writeFileSync } from 'node:fs';", more });
const socketFolders = () => readdirSync(tmpdir()).filter((name) => /^everywire-\w{6}$/.test(name));

describe('everywire dev', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    proves('dev.end', '%s: ends at once, also with a call under way'),
    async (signal) => {
      const project = await Project.started({ 'app.ts': app() });
      const pid = (await project.result('Process')) as number;
      const waiting = project.result('State', { ms: 30_000 }).catch((error: Error) => error);
      await sleep(200);
      const ended = once(project.child, 'exit');
      project.child.kill(signal);
      expect(await ended).toEqual([0, null]);
      expect(await waiting).toBeInstanceOf(Error);
      expect(isRunning(pid)).toBe(false);
    },
  );

  it(proves('dev.end', 'the stop of the app runs'), async () => {
    const project = await Project.started({ 'app.ts': app(", stop() { writeFileSync('stopped', ''); }") });
    await project.result('Process');
    project.child.kill('SIGINT');
    await once(project.child, 'exit');
    expect(existsSync(project.path('stopped'))).toBe(true);
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

  it(proves('dev.end', 'if the port is in use, it says so'), async () => {
    const first = await Project.started({ 'app.ts': app() });
    const second = new Project();
    second.write('app.ts', app());
    const port = new URL(first.url).port;
    await second.start({ waits: false, flags: ['--port', port] });
    expect(await once(second.child, 'exit')).toEqual([1, null]);
    expect(second.log).toBe(`error: port ${port} is in use; choose another with --port\n`);
  });
});

describe('on a terminal', () => {
  it.each([true, false])(proves('dev.end', 'Ctrl+C; colours unless NO_COLOR is set: %s'), async (isColoured) => {
    const project = new Project();
    project.write('app.ts', app());
    const { NO_COLOR: _, ...env } = process.env;
    const command = `exec ${process.execPath} ${resolve('dist/bin/everywire.js')} dev app.ts --port 0`;
    const child = spawn('script', ['-qefc', command, '/dev/null'], {
      cwd: project.folder,
      env: { ...env, ...(!isColoured && { NO_COLOR: '1' }) },
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => (project.log += text));
    await project.printed('Ctrl+C ends');
    await project.result('Process');
    await project.printed('http functions.Process OK');
    await project.reloaded(() =>
      project.write('app.ts', readFileSync(project.path('app.ts'), 'utf8').replace("'State'", "'Other'")),
    );
    await project.printed('State');
    expect(project.log.includes('\x1b[31m (breaking)\x1b[0m')).toBe(isColoured);
    expect(project.log.includes('\x1b')).toBe(isColoured);
    const ended = once(child, 'exit');
    child.stdin.write('\x03');
    expect(await ended).toEqual([0, null]);
  });
});
