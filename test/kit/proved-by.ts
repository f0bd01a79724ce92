import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { behaviours } from '../behaviours/index.ts';
import { queries } from '../behaviours/queries.ts';
import { requests } from '../behaviours/requests.ts';
import { promises, type PromiseId } from '../promises.ts';

/** The test files that prove a promise. */
interface Proof {
  readonly id: PromiseId;
  /** Those that `npm test` runs. */
  readonly usual: readonly string[];
  /** Those that only `npm run test:full` runs. */
  readonly full: readonly string[];
}

/** Which tests prove each promise: `npm run promises` prints it. */
export function provedBy(): Proof[] {
  const files = new Map<string, Set<string>>();
  const add = (id: string, file: string) => files.set(id, (files.get(id) ?? new Set()).add(file));
  for (const { proves } of behaviours) for (const id of proves) add(id, 'test/behaviours.test.ts');
  for (const { proves } of [...requests, ...queries]) for (const id of proves) add(id, 'test/requests.test.ts');
  for (const file of testsIn('test')) {
    for (const [, id = ''] of readFileSync(file, 'utf8').matchAll(/proves\(\s*'([\w.-]+)'/g)) add(id, file);
  }
  return (Object.keys(promises) as PromiseId[]).map((id) => {
    const all = [...(files.get(id) ?? [])].toSorted();
    const isFull = (file: string) => file.endsWith('.full.test.ts');
    return { id, usual: all.filter((file) => !isFull(file)), full: all.filter(isFull) };
  });
}

/** Not in packages, nor in folders of tests that run at the same time: their links lead round in circles. */
function testsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^\.|^node_modules$/.test(entry.name) ? [] : testsIn(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
