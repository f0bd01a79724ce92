// Generates clients with every generator: `node generate.mjs <folder>`. The folder holds apps.json (a list of names and
// URLs) and <name>.json (their documents). A process of its own: some generators need a newer Node.js than we do.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { generate } from 'orval';
import { generateApi } from 'swagger-typescript-api';

const [folder] = process.argv.slice(2);
const apps = JSON.parse(readFileSync(join(folder, 'apps.json'), 'utf8'));

for (const name of ['openapi-fetch', 'orval', 'hey-api', 'swagger-typescript-api']) mkdirSync(join(folder, name));
for (const { name, url } of apps) await generateAll(name, url, join(folder, `${name}.json`));

async function generateAll(name, url, file) {
  const document = () => JSON.parse(readFileSync(file, 'utf8'));
  // Without the option, callers must send every field that has a default.
  const types = await openapiTS(document(), { defaultNonNullable: false });
  writeFileSync(join(folder, 'openapi-fetch', `${name}.ts`), astToString(types));
  await generate({
    input: file,
    output: { target: join(folder, 'orval', `${name}.ts`), client: 'fetch', baseUrl: url },
  });
  await createClient({
    input: file,
    output: { path: join(folder, 'hey-api', name), module: { extension: '.js' } },
    logs: { level: 'silent' },
  });
  const { files } = await generateApi({ spec: document(), output: false, silent: true, generateUnionEnums: true });
  writeFileSync(join(folder, 'swagger-typescript-api', `${name}.ts`), files[0].fileContent);
}
