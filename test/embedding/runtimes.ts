import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export type Runtime = 'bun@1' | 'deno@2' | 'workerd@1' | 'node@24';

let paths: Promise<Record<string, string>> | undefined;

/** The path of a runtime. Where it cannot be installed, the test is skipped with a warning, and fails under CI. */
export async function runtime(name: Runtime, skip: (reason: string) => void): Promise<string> {
  paths ??= install();
  const path = (await paths)[name];
  if (path === undefined && process.env['CI'] !== 'true') skip(`${name} cannot be installed`);
  return path ?? `${name} could not be installed`;
}

async function install(): Promise<Record<string, string>> {
  const names: Runtime[] = ['bun@1', 'deno@2', 'workerd@1', 'node@24'];
  const { stdout, stderr } = await promisify(execFile)('node', ['scripts/runtimes.mjs', ...names]);
  if (stderr) console.warn(stderr);
  return JSON.parse(stdout) as Record<string, string>;
}
