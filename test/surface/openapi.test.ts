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
import { openApiDocument, openApiText } from '../../dist/wires/http/openapi/document.js';
import type { OpenApiProfiles, OpenApiVersion } from '../../dist/wires/http/openapi/document.js';
import { modules } from '../every-wire.ts';
import type { AppName } from '../every-wire.ts';
import tasks from '../apps/http-tasks.ts';
import shop from '../generators/shop.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { appOf } from '../wires/process.ts';
import { startServing } from '../kit/served.ts';
import type { Served } from '../kit/served.ts';

const exec = promisify(execFile);

/** The response of a function, wherever it is written. */
function responseOf(app: App, fn: string, status: number, profiles?: OpenApiProfiles): any {
  const document = openApiDocument(app, '3.1', '/', profiles) as any;
  const response = document.paths[`/functions/${fn}`].post.responses[status];
  return response.$ref ? lookUp(document, response.$ref) : response;
}

let folder: string;
let served: Served;

beforeAll(async () => {
  folder = temporaryFolder('openapi');
  served = await startServing(modules.calculator);
});
afterAll(() => served.stop());

/** A schema with its references replaced. Without what zod adds to the objects in results, which named types lack. */
function expanded(schema: JsonSchema, root: object, depth = 12): unknown {
  if (Array.isArray(schema)) return schema.map((one: JsonSchema) => expanded(one, root, depth));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (depth === 0) return '…';
  const { $ref, $defs: _, definitions: __, additionalProperties, ...rest } = schema;
  const target = typeof $ref === 'string' ? (lookUp(root, $ref) as object) : {};
  if (typeof $ref === 'string') return expanded({ ...target, ...rest }, root, depth);
  const all = { ...rest, ...(additionalProperties !== false && { additionalProperties }) };
  return Object.fromEntries(
    Object.entries(all)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, expanded(value as JsonSchema, root, depth - 1)]),
  );
}

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

const CLEAN = { totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] };

async function lint(text: string): Promise<object> {
  const file = join(folder, `${crypto.randomUUID()}.json`);
  await writeFile(file, text);
  const { stdout } = await exec(
    'test/node_modules/.bin/redocly',
    ['lint', file, '--extends', 'recommended', '--format', 'json'],
    {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  ).catch((error: { stdout: string }) => error);
  const { totals, problems } = JSON.parse(stdout) as { totals: object; problems: object[] };
  return { totals, problems: problems.map((problem) => JSON.stringify(problem).slice(0, 300)) };
}

describe('the OpenAPI document', () => {
  for (const version of ['3.1', '3.0'] as const satisfies readonly OpenApiVersion[]) {
    for (const profiles of ['own', 'all'] as const satisfies readonly OpenApiProfiles[]) {
      it(
        proves('openapi.lint', `in ${version}, with ${profiles} profiles, passes Redocly's recommended rules`),
        async () => {
          const apps = [
            await appOf('calculator'),
            await appOf('weather'),
            await appOf('streams'),
            shop,
            awkward,
            tasks as App,
          ];
          const linted = await Promise.all(apps.map((app) => lint(openApiText(app, version, '/', profiles))));
          expect(linted).toEqual(apps.map(() => CLEAN));
        },
      );
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
        expect(await lint(openApiText(app, version))).toEqual(CLEAN);
      },
    );
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

  it(proves('openapi.shared', 'says with references what the schemas of functions say without'), async () => {
    const apps = [awkward, shop, ...(await Promise.all(Object.keys(modules).map((name) => appOf(name as AppName))))];
    let compared = 0;
    for (const app of apps) {
      for (const profiles of ['own', 'all'] as const) {
        const document = openApiDocument(app, '3.1', '/', profiles) as any;
        // Arguments in a path or a query are not one schema.
        const posted = app.functions.filter(({ http }) => http.method === 'POST' && http.path === undefined);
        for (const { name, inputSchema, returned } of posted) {
          const { requestBody, responses } = document.paths[`/functions/${name}`].post;
          const found = [
            requestBody.content['application/json'].schema,
            responses[200].content['application/json'].schema,
          ];
          const wanted = [inputSchema, app.profile.successSchema(returned)];
          expect(found.map((schema) => expanded(schema, document))).toEqual(
            wanted.map((schema) => expanded(schema, schema)),
          );
          compared++;
        }
      }
    }
    expect(compared).toBeGreaterThan(100);
  });

  it(proves('openapi.document', 'has no dangling references, and examples as a wire sends them'), () => {
    for (const version of ['3.1', '3.0'] as const) {
      const document = openApiDocument(awkward, version) as any;
      const refs = JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g) ?? [];
      expect(refs.filter((ref) => lookUp(document, ref) === undefined)).toEqual([]);
      const { responses } = document.paths['/functions/Odd'].post;
      expect(responses['200'].content['application/json'].examples.example1.value).toEqual({ result: '5' });
      const { $ref } = document.paths['/functions/Move'].post.responses['503'];
      const unavailable = lookUp(document, $ref) as any;
      expect(unavailable.description).toBe('`UNAVAILABLE`: No trains today.');
      expect(unavailable.headers['Everywire-Error-Code'].schema.enum).toEqual(['UNAVAILABLE']);
    }
  });

  it(proves('profile.openapi', 'describes the profile of the app, and the others if asked for'), async () => {
    const [plainApp, enveloped] = [await appOf('profiles'), await appOf('enveloped')];
    const types = (app: App, status: number, profiles?: OpenApiProfiles) =>
      Object.keys(responseOf(app, 'GetInstance', status, profiles).content);
    const others = (...names: string[]) => names.map((name) => `application/json; profile=${name}`);
    for (const status of [200, 400, 404, 500]) expect(types(plainApp, status)).toEqual(['application/json']);
    expect(types(plainApp, 200, 'all')).toEqual([
      'application/json',
      ...others('envelope', 'status', 'problem', 'mcp'),
    ]);
    expect(types(plainApp, 404, 'all')).toEqual([
      'application/json',
      ...others('envelope', 'status'),
      'application/problem+json',
      ...others('mcp'),
    ]);
    expect(types(enveloped, 200, 'all')).toContain('application/json; profile=plain');
    const schema = (app: App, status: number, type = 'application/json') =>
      responseOf(app, 'GetInstance', status, 'all').content[type].schema as JsonSchema;
    expect(Object.keys(schema(plainApp, 200).properties ?? {})).toEqual(['result']);
    expect(Object.keys(schema(enveloped, 200).properties ?? {})).toEqual(['success', 'timestamp', 'content', 'data']);
    expect(schema(plainApp, 404, 'application/problem+json')).toEqual({ $ref: '#/components/schemas/ProblemFailure' });
  });

  it(proves('profile.openapi', 'has an entry for every media type of a response'), async () => {
    const app = await appOf('profiles');
    for (const profile of profileNames) {
      for (const id of ['i-1', 'i-9']) {
        const response = await app.fetch(
          new Request('http://localhost/functions/GetInstance', {
            method: 'POST',
            body: JSON.stringify({ id }),
            headers: { 'content-type': 'application/json', accept: `application/json; profile=${profile}` },
          }),
        );
        const documented = responseOf(app, 'GetInstance', response.status, 'all').content;
        expect(Object.keys(documented)).toContain(response.headers.get('content-type'));
      }
    }
  });

  it(proves('openapi.document', 'lists the codes of every failure, including declared ones'), async () => {
    const document = openApiDocument(await appOf('weather'), '3.1') as any;
    const { responses } = document.paths['/functions/GetWeather'].post;
    expect(Object.keys(responses)).toEqual(['200', '400', '404', '406', '413', '415', '500', '503', '504']);
    expect(responses['404']).toEqual({ $ref: '#/components/responses/LocationNotFound' });
    const { headers, description } = document.components.responses.LocationNotFound;
    expect(headers['Everywire-Error-Code'].schema.enum).toEqual(['LOCATION_NOT_FOUND']);
    expect(description).toBe('`LOCATION_NOT_FOUND`: No place of that name is known.');
  });

  it(proves('openapi.size', 'takes 1.5 KB for one more small function, and 250 KB for 150'), () => {
    const sizeOf = (count: number, fn: (i: number) => object) => {
      const functions = Array.from({ length: count }, (_, i) => fn(i + 1)) as never;
      return openApiText(createApp({ name: 'Sizes', version: '1.0.0', functions }), '3.1').length;
    };
    const input = z.object({
      x: z.int().describe('First integer to add'),
      y: z.int().describe('Second integer to add'),
    });
    const small = (i: number) =>
      defineFunction({
        name: `Add${i}`,
        description: 'Adds two integers together',
        input,
        output: z.int().describe('Sum of x and y'),
        examples: [{ input: { x: 10, y: 20 }, output: 30 }],
        run: ({ x, y }) => x + y,
      });
    expect(sizeOf(1, small)).toBeLessThan(4000);
    expect((sizeOf(150, small) - sizeOf(1, small)) / 149).toBeLessThanOrEqual(1500);
    expect(sizeOf(150, small)).toBeLessThanOrEqual(250_000);
    // Functions of every kind, five times.
    const { functions } = shop;
    const any = (i: number) => {
      const { definition } = functions[i % functions.length]!;
      return { ...definition, name: `${definition.name}${i}` };
    };
    expect(sizeOf(150, any)).toBeLessThanOrEqual(250_000);
  });

  it(proves('openapi.deterministic', 'is the same, byte for byte, with an ETag for 304'), async () => {
    const first = await fetch(`${served.url}/openapi.json`);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[0-9a-f]{24}"$/);
    expect(await first.text()).toBe(openApiText(await appOf('calculator'), '3.1'));
    const again = await fetch(`${served.url}/openapi.json`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    for (const variant of ['version=3.0', 'profiles=all', 'version=3.0&profiles=all']) {
      const other = await fetch(`${served.url}/openapi.json?${variant}`, { headers: { 'if-none-match': etag } });
      expect(other.status).toBe(200);
      expect(other.headers.get('etag')).not.toBe(etag);
    }
  });

  it(proves('openapi.deterministic', 'with If-None-Match: weak, in a list, or anything'), async () => {
    const url = `${served.url}/openapi.json`;
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    const status = async (known: string) => (await fetch(url, { headers: { 'if-none-match': known } })).status;
    for (const known of [`W/${etag}`, `"a, b", W/"c",${etag}`, '*', ` ${etag} , "x"`])
      expect(await status(known)).toBe(304);
    for (const known of [etag.slice(1, -1), `"x${etag.slice(1)}`, '"*"', '', '"', `"${'a", "'.repeat(2000)}`]) {
      expect(await status(known)).toBe(200);
    }
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

describe('functions that may become tasks', () => {
  const document = openApiDocument(tasks as App, '3.1') as any;
  const resolved = (part: any) => (part.$ref ? lookUp(document, part.$ref) : part) as any;
  const parametersOf = (path: string, method: string) =>
    document.paths[path][method].parameters.map(resolved).map(({ in: where, name }: any) => `${where} ${name}`);

  it(proves('openapi.task', 'say so: the headers, and 202 with a link to the task'), () => {
    expect(parametersOf('/functions/Wait', 'post')).toEqual(['header Prefer', 'header Idempotency-Key']);
    expect(parametersOf('/count/{to}', 'get')).toEqual(['path to', 'header Prefer', 'header Idempotency-Key']);
    const { responses } = document.paths['/functions/Wait'].post;
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '202', '422']));
    const accepted = resolved(responses[202]);
    expect(Object.keys(accepted.headers)).toEqual([
      'Location',
      'Operation-Location',
      'Preference-Applied',
      'Retry-After',
    ]);
    expect(accepted.links.task).toMatchObject({
      operationId: 'tasks.get',
      parameters: { taskId: '$response.body#/taskId' },
    });
    expect(accepted.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Task' });
    expect(document.paths['/functions/Plain'].post).not.toHaveProperty('parameters');
    expect(document.paths['/functions/Plain'].post.responses).not.toHaveProperty('202');
  });

  it(proves('openapi.task', 'that always do have no other success, but say what the result is'), () => {
    const { responses } = document.paths['/functions/Always'].post;
    expect(Object.keys(responses).filter((status) => status < '300')).toEqual(['202']);
    expect(responses[202]['x-everywire-result']).toMatchObject({ properties: { result: { type: 'string' } } });
  });

  it(proves('openapi.task', 'bring the paths of tasks with them'), () => {
    const operations = Object.entries(document.paths as Record<string, Record<string, { operationId: string }>>)
      .filter(([path]) => path.startsWith('/tasks'))
      .flatMap(([path, item]) => Object.entries(item).map(([method, { operationId }]) => [method, path, operationId]));
    expect(operations).toEqual([
      ['get', '/tasks/{taskId}', 'tasks.get'],
      ['get', '/tasks/{taskId}/result', 'tasks.result'],
      ['get', '/tasks/{taskId}/events', 'tasks.events'],
      ['post', '/tasks/{taskId}/input', 'tasks.input'],
      ['post', '/tasks/{taskId}/cancel', 'tasks.cancel'],
    ]);
    expect(document.tags).toContainEqual({ name: 'tasks', description: 'Calls that go on without their requests' });
  });

  it(proves('openapi.task', 'have ids without dots where functions have; and that no function has'), async () => {
    const options = { description: 'Works', task: 'always', run: () => {} } as const;
    const idsOf = (app: App) =>
      Object.values((openApiDocument(app, '3.0') as any).paths).flatMap((item: any) =>
        Object.values(item).map((operation: any) => operation.operationId as string),
      );
    const named = { name: 'Ids', version: '1.0.0', license: { name: 'MIT', identifier: 'MIT' } } as const;
    const work = defineFunction({ ...options, name: 'Work' });
    expect(idsOf(createApp({ ...named, names: 'portable', functions: [work] }))).toContain('tasks_get');
    const taken = defineFunction({ ...options, name: 'Get', operationId: 'tasks.get' });
    const ids = idsOf(createApp({ ...named, functions: [taken] }));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('everywire.tasks.get');
  });

  it(proves('openapi.task', 'need the credentials of those who start them'), async () => {
    const app: App = createApp({
      name: 'Secured',
      version: '1.0.0',
      license: { name: 'MIT', identifier: 'MIT' },
      functions: [
        defineFunction({ name: 'Open', description: 'Works', task: 'allowed', scopes: 'public', run: () => {} }),
        defineFunction({ name: 'Closed', description: 'Works', task: 'always', scopes: ['work'], run: () => {} }),
      ],
      access: { scopes: ['use'] },
    });
    const secured = openApiDocument(app, '3.1') as any;
    expect(secured.paths['/tasks/{taskId}'].get.security).toEqual([{ bearer: [] }, {}]);
    expect(await lint(openApiText(app, '3.0'))).toEqual(CLEAN);
  });
});

it(proves('openapi.document', 'a function that declares what it yields describes its streams'), async () => {
  const app = await appOf('streams');
  const own = responseOf(app, 'Words', 200);
  expect(Object.keys(own.content)).toEqual(['application/json']); // others would change the types of generated clients
  expect(own.description).toContain('As a stream');
  expect(own['x-everywire-yields']).toMatchObject({ type: 'string', description: 'The words so far' });
  const { content } = responseOf(app, 'Words', 200, 'all');
  expect(Object.keys(content)).toEqual(expect.arrayContaining(['text/event-stream', 'application/x-ndjson']));
  expect(responseOf(app, 'Steps', 200)).not.toHaveProperty('x-everywire-yields');
});
