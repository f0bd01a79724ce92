import type { Process } from '../process.ts';

/** The environment variable that says so. */
export const WORKER = 'EVERYWIRE_WORKER_PROCESS';

/** Whether this process was started by another one, to serve its connections. Processes that the app starts must not think so. */
export function takeWorkerMark({ env }: Process): boolean {
  const isMarked = env[WORKER] !== undefined && process.send !== undefined;
  delete env[WORKER];
  return isMarked;
}
