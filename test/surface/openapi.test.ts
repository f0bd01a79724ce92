import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createApp, defineFunction, forms } from 'everywire';
import type { App, JsonSchema } from 'everywire';
import { profileNames } from 'everywire/responses';
import { generateApi } from 'swagger-typescript-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { lookUp } from '../../src/schema/pointer.ts';
import { openApiDocument, openApiText } from '../../dist/wires/http/openapi.js';
import type { OpenApiVersion } from '../../dist/wires/http/openapi.js';
import { modules } from '../every-wire.ts';
import type { AppName } from '../every-wire.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { appOf } from '../wires/process.ts';
import { startServing } from '../wires/served.ts';
import type { Served } from '../wires/served.ts';

const exec = promisify(execFile);
let folder: string;
let served: Served;

beforeAll(async () => {
  folder = temporaryFolder('openapi');
  served = await startServing(modules.calculator);
});
afterAll(() => served.stop());

const place = z.object({ name: z.string(), near: z.string().nullable() }).meta({ id: 'Place' });
interface Tree {
  readonly label: string;
  readonly children: readonly Tree[];
}
const tree: z.ZodType<Tree> = z
  .object({ label: z.string(), children: z.array(z.lazy(() => tree)) })
  .meta({ id: 'Tree' });

/** Everything that is awkward to express in OpenAPI: names, recursion, null, tuples, constants, exclusive bounds. */
const awkward: App = createApp({
  name: 'Awkward',
  version: '1.0.0',
  license: { name: 'MIT', identifier: 'MIT' },
  functions: [
    defineFunction({
      name: 'Move',
      description: 'Moves',
      input: z.object({
        from: place.describe('Where from'),
        to: place.nullable().describe('Where to'),
        by: z.literal('train').describe('How'),
        speed: z.number().positive().lt(300).describe('How fast'),
        pair: z.tuple([z.string(), z.int()]).optional().describe('A pair'),
        extra: z
          .record(z.string(), z.union([z.string(), z.number(), z.null()]))
          .optional()
          .describe('More'),
        at: z.date().optional().describe('When'),
      }),
      errors: { UNAVAILABLE: { description: 'No trains today.' } },
      examples: [
        {
          input: { from: { name: 'a', near: null }, to: null, by: 'train', speed: 100, at: '2026-01-01T00:00:00Z' },
          output: { name: 'a', near: null },
        },
      ],
      output: place.describe('The new place'),
      run: ({ from }) => from,
    }),
    defineFunction({
      name: 'Odd',
      description: 'Says what 3.0 has no words for',
      input: {
        type: 'object',
        properties: {
          list: { type: ['array', 'string', 'null'], items: { type: 'integer' }, description: 'A list or a text' },
          nothing: { const: null, description: 'Only null' },
          anything: { type: 'object', properties: { x: true as never }, description: 'Anything' },
          more: { type: 'array', items: true, description: 'Any items' },
          legacy: { $ref: '#/definitions/Old', description: 'An old way to refer' },
        },
        definitions: { Old: { type: 'string' } },
        unevaluatedProperties: { $ref: '#/$defs/Extra' },
        $defs: { Extra: { type: 'integer' } },
      },
      output: { ...forms.bigint, description: 'A big number' },
      examples: [{ input: {}, output: 5n }],
      run: () => 5n,
    }),
    defineFunction({
      name: 'Grow',
      description: 'Grows',
      input: z.object({ tree: tree.describe('A tree') }),
      outputs: [tree.describe('The tree'), place.describe('Its place')],
      run: ({ tree: grown }) => [grown, { name: 'here', near: null }] as const,
    }),
  ],
});

async function lint(text: string): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.json`);
  await writeFile(file, text);
  const { stdout } = await exec(
    'test/node_modules/.bin/redocly',
    ['lint', file, '--extends', 'recommended', '--format', 'json'],
    {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  ).catch((error: { stdout: string }) => error);
  return stdout;
}

describe('the OpenAPI document', () => {
  for (const version of ['3.1', '3.0'] as const satisfies readonly OpenApiVersion[]) {
    for (const name of ['calculator', 'weather'] as const satisfies readonly AppName[]) {
      it(proves('openapi.lint', `of the ${name} in ${version} passes Redocly's recommended rules`), async () => {
        const { totals } = JSON.parse(await lint(openApiText(await appOf(name), version))) as { totals: object };
        expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
      });
    }

    it.each(profileNames)(
      proves('openapi.lint', `of an app whose own profile is %s, in ${version}`),
      async (profile) => {
        const { functions } = await appOf('calculator');
        const app: App = createApp({
          name: 'Profiled',
          version: '1.0.0',
          license: { name: 'MIT', identifier: 'MIT' },
          functions: functions.map((fn) => fn.definition),
          profile,
        });
        const { totals, problems } = JSON.parse(await lint(openApiText(app, version))) as {
          totals: object;
          problems: object[];
        };
        expect(problems.map((problem) => JSON.stringify(problem).slice(0, 300))).toEqual([]);
        expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
      },
    );

    it(proves('openapi.lint', `of awkward schemas in ${version} passes, too`), async () => {
      const { totals, problems } = JSON.parse(await lint(openApiText(awkward, version))) as {
        totals: object;
        problems: object[];
      };
      expect(problems).toEqual([]);
      expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
    });
  }

  it(proves('openapi.old', 'expresses null, constants, tuples and bounds in the dialect of 3.0'), () => {
    const text = JSON.stringify(openApiDocument(awkward, '3.0'));
    expect(text).toContain('"nullable":true');
    expect(text).toContain('"exclusiveMinimum":true');
    expect(text).not.toMatch(/"(?:const|prefixItems|\$defs)"|"type":(?:"null"|\[)/);
  });

  it(proves('openapi.document', 'contains a shared schema once, and recursive ones completely'), () => {
    const { components } = openApiDocument(awkward, '3.1') as { components: { schemas: Record<string, object> } };
    expect(Object.keys(components.schemas).filter((name) => name.startsWith('Place'))).toEqual(['Place']);
    const refs = JSON.stringify(components.schemas).match(/(?<="\$ref":"#\/components\/schemas\/)[^"]+/g) ?? [];
    expect(refs).toContain('Tree');
    expect(refs.filter((name) => !(name in components.schemas))).toEqual([]);
  });

  it(proves('openapi.document', 'has no dangling references, and examples as a wire sends them'), () => {
    for (const version of ['3.1', '3.0'] as const) {
      const document = openApiDocument(awkward, version) as any;
      const refs = JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g) ?? [];
      expect(refs.filter((ref) => lookUp(document, ref) === undefined)).toEqual([]);
      const { responses } = document.paths['/functions/Odd'].post;
      expect(responses['200'].content['application/json'].examples.example1.value).toEqual({ result: '5' });
      const unavailable = document.paths['/functions/Move'].post.responses['503'];
      expect(unavailable.headers['Everywire-Error-Code'].schema.enum).toEqual(['UNAVAILABLE']);
    }
  });

  it(proves('profile.openapi', 'describes the profile of the app, and the others as further media types'), async () => {
    const [plainApp, enveloped] = [await appOf('profiles'), await appOf('enveloped')];
    const operation = (app: App) => (openApiDocument(app, '3.1') as any).paths['/functions/GetInstance'].post.responses;
    const types = (response: { content: object }) => Object.keys(response.content);
    const others = (...names: string[]) => names.map((name) => `application/json; profile=${name}`);
    expect(types(operation(plainApp)[200])).toEqual([
      'application/json',
      ...others('envelope', 'status', 'problem', 'mcp'),
    ]);
    expect(types(operation(plainApp)[404])).toEqual([
      'application/json',
      ...others('envelope', 'status'),
      'application/problem+json',
      ...others('mcp'),
    ]);
    const schema = (app: App, status: number, type = 'application/json') =>
      operation(app)[status].content[type].schema as JsonSchema;
    expect(Object.keys(schema(plainApp, 200).properties ?? {})).toEqual(['result']);
    expect(Object.keys(schema(enveloped, 200).properties ?? {})).toEqual(['success', 'timestamp', 'content', 'data']);
    expect(types(operation(enveloped)[200])).toContain('application/json; profile=plain');
    expect(schema(plainApp, 404, 'application/problem+json')).toEqual({ $ref: '#/components/schemas/Failure_problem' });
  });

  it(proves('profile.openapi', 'has an entry for every media type of a response'), async () => {
    const app = await appOf('profiles');
    const responses = (openApiDocument(app, '3.1') as any).paths['/functions/GetInstance'].post.responses;
    for (const profile of profileNames) {
      for (const id of ['i-1', 'i-9']) {
        const response = await app.fetch(
          new Request('http://localhost/functions/GetInstance', {
            method: 'POST',
            body: JSON.stringify({ id }),
            headers: { 'content-type': 'application/json', accept: `application/json; profile=${profile}` },
          }),
        );
        const documented = responses[response.status].content as Record<string, { schema: JsonSchema }>;
        const type = response.headers.get('content-type') ?? '';
        expect(Object.keys(documented)).toContain(type);
      }
    }
  });

  it(proves('openapi.document', 'lists the codes of every failure, including declared ones'), async () => {
    const document = openApiDocument(await appOf('weather'), '3.1') as any;
    const { responses } = document.paths['/functions/GetWeather'].post;
    expect(Object.keys(responses)).toEqual(['200', '400', '404', '406', '413', '415', '500', '503', '504']);
    expect(responses['404'].headers['Everywire-Error-Code'].schema.enum).toEqual(['LOCATION_NOT_FOUND']);
  });

  it(proves('openapi.deterministic', 'is the same, byte for byte, with an ETag for 304'), async () => {
    const first = await fetch(`${served.url}/openapi.json`);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[0-9a-f]{24}"$/);
    expect(await first.text()).toBe(openApiText(await appOf('calculator'), '3.1'));
    const again = await fetch(`${served.url}/openapi.json`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const other = await fetch(`${served.url}/openapi.json?version=3.0`, { headers: { 'if-none-match': etag } });
    expect(other.status).toBe(200);
  });

  for (const version of ['3.1', '3.0'] as const) {
    it(proves('openapi.client', `makes a TypeScript client that compiles and calls, from ${version}`), async () => {
      const spec = (await (await fetch(`${served.url}/openapi.json?version=${version}`)).json()) as never;
      const { files } = await generateApi({ spec, output: false, silent: true, fileName: 'client.ts' });
      const source = join(folder, `client-${version}.ts`);
      await writeFile(source, files[0]?.fileContent ?? '');
      await writeFile(join(folder, 'package.json'), '{"type":"module"}');
      await exec('node_modules/.bin/tsc', [
        '--ignoreConfig',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--lib',
        'es2022,dom,dom.iterable',
        source,
      ]);

      const { Api } = (await import(pathToFileURL(source.replace('.ts', '.js')).href)) as {
        Api: new (options: object) => { functions: Record<string, (body: object) => Promise<{ data: unknown }>> };
      };
      const { functions } = new Api({ baseUrl: served.url });
      expect((await functions['functionsAdd']?.({ x: 20, y: 22 }))?.data).toEqual({ result: 42 });
      await expect(functions['functionsDivide']?.({ dividend: 1, divisor: 0 })).rejects.toMatchObject({
        status: 422,
        error: { error: 'Cannot divide by zero' },
      });
    });
  }
});
