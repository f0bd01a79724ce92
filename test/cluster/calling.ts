import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServing, type Served } from '../kit/served.ts';

const PATIENCE = 30_000;
const started: Served[] = [];

/** For `afterAll` of each file that starts servers: they do not outlive its tests, even if these fail. */
export function stopWorkers(): void {
  for (const { child } of started.splice(0)) child.kill('SIGKILL');
}

/** A server with two processes, unless the flags say otherwise. */
export async function startWorkers(module: string, ...flags: readonly string[]): Promise<Served> {
  const served = await startServing(module, '--workers', '2', ...flags);
  started.push(served);
  return served;
}

/** Waits for something that happens sooner or later. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + PATIENCE; !(await isTrue()); await sleep(20))
    if (Date.now() > end) throw new Error(`not within ${PATIENCE} ms: ${what}`);
}

export const untilPrinted = ({ stderr }: Served, text: string, times = 1) =>
  until(text, () => stderr().split(text).length > times);

interface Answered {
  readonly status: number;
  readonly body: string;
}

/** Calls a function on a connection of its own. */
export function call(url: string, name: string, input: object = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/functions/${name}`, { method: 'POST', agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('end', () => resolve({ status: response.statusCode!, body }));
      response.once('error', reject);
    });
    sent.once('error', reject).setHeader('content-type', 'application/json').end(JSON.stringify(input));
  });
}

/** The process that runs a function. */
export async function processOf(url: string, name = 'Who', input?: object): Promise<number> {
  return (JSON.parse((await call(url, name, input)).body) as { result: number }).result;
}

/** All processes that answer. */
export async function processesAt(url: string, calls = 12): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (let i = 0; i < calls; i++) found.add(await processOf(url));
  return found;
}

/** One that has ended stays in the list until its parent asks for its exit code, which may be never. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
