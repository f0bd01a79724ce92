import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from './find-program.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

const PATIENCE = 30_000;
const PROGRAM = 'redis-server';

const isInstalled = findProgram(PROGRAM) !== undefined;

/** Tests that need Redis are skipped without it; in CI they fail. */
export const hasRedis = isInstalled || process.env['CI'] === 'true';
if (!isInstalled) console.error('NOT TESTED: Redis (it is not installed)');

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a server of its own, in a temporary folder, on a port that nobody uses, or on the one that it had before. */
export async function startRedis(port?: number, ...flags: readonly string[]): Promise<RedisServer> {
  const chosen = port ?? (await freePort());
  const settings = ['--port', `${chosen}`, '--bind', '127.0.0.1', '--save', '', '--dir', temporaryFolder('redis')];
  const child = spawn(PROGRAM, [...settings, ...flags], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  for (const end = Date.now() + PATIENCE; !(await answers(chosen)); await sleep(20)) {
    if (child.exitCode !== null) throw new Error(`${PROGRAM} ended with ${child.exitCode}`);
    if (Date.now() > end) throw new Error(`${PROGRAM} did not start within ${PATIENCE} ms`);
  }
  return {
    port: chosen,
    url: `redis://127.0.0.1:${chosen}`,
    child,
    async stop() {
      child.kill('SIGKILL'); // it keeps nothing
      await exited;
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('data', () => end(true));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.write('PING\r\n');
  });
}
