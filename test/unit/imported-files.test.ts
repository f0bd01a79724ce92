import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importedFiles } from '../../src/bin/dev/imported-files.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const ALIASES = {
  'its own, with comments': '{\n  // short names\n  "compilerOptions": { "paths": { "@/*": ["./src/*"], } } }',
  'of a configuration that it extends': '{ "extends": "./base" }',
};

it.each(Object.entries(ALIASES))('imports through `paths` of tsconfig.json: %s', (_what, config) => {
  const folder = temporaryFolder('imported-files');
  mkdirSync(join(folder, 'src/lib'), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('base.json', '{ "compilerOptions": { "baseUrl": "src", "paths": { "@/*": ["*"] } } }');
  write('tsconfig.json', config);
  write('app.ts', "import '@/lib/there';\nimport '@/lib/created';\nimport 'zod';\nimport 'node:fs';\n");
  write('src/lib/there.ts', "import './next.ts';\n");
  write('src/lib/next.ts', '');
  const found = importedFiles([join(folder, 'app.ts')]);
  expect(found).toEqual(
    expect.arrayContaining(
      ['there.ts', 'next.ts', 'created.ts', 'created/index.ts'].map((name) => join(folder, 'src/lib', name)),
    ),
  );
  expect(found.filter((path) => /zod|node:fs/.test(path))).toEqual([]);
});
