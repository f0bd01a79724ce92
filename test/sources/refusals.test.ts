import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ModuleDescription } from '../../src/sources/module/description.ts';
import { describeModule } from '../../src/sources/module/describe-module.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { refusals } from './cases/refusals.ts';
import { compilers } from './compilers.ts';

describe.each(compilers)('with TypeScript $version', ({ folder }) => {
  let module: ModuleDescription;

  beforeAll(async () => {
    const path = join(temporaryFolder('refusals'), 'refusals.ts');
    const code = refusals.map((one, i) => `export namespace c${i} { export const served = () => 1; ${one.code} }`);
    writeFileSync(path, code.join('\n'));
    ({ description: module } = await describeModule(path, { typescript: folder }));
  });

  it.each(refusals.map((one, i) => ({ ...one, i })))('$code', ({ i, at, reason, name }) => {
    const found = module.refusals.filter((refusal) => refusal.name.startsWith(`c${i}.`));
    expect(found.map((refusal) => refusal.reason.replaceAll(`c${i}.`, ''))).toEqual([reason]);
    expect(found[0]).toMatchObject({ name: `c${i}.${name}`, file: 'refusals.ts', line: i + 1 });
    expect(found[0]!.source.slice(found[0]!.column - 1, found[0]!.column - 1 + at.length)).toBe(at);
    // The function next to it is served.
    expect(module.functions.map((fn) => fn.name)).toContain(`c${i}.served`);
  });
});
