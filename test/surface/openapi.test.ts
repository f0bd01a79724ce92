import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createApp, defineFunction, forms, type App, type JsonSchema } from 'everywire';
import { createClient } from 'everywire/client';
import { serve, type NodeHost } from 'everywire/node';
import { profileNames } from 'everywire/responses';
import { generateApi } from 'swagger-typescript-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { lookUp } from '../../src/schema/pointer.ts';
import { openApiDocument, openApiText } from '../../dist/wires/http/openapi/document.js';
import type { OpenApiProfiles, OpenApiVersion } from '../../dist/wires/http/openapi/document.js';
import { asJson } from '../kit/as-json.ts';
import { modules, type AppName } from '../every-wire.ts';
import tasks from '../apps/http-tasks.ts';
import queries from '../apps/queries.ts';
import shop from '../generators/shop.ts';
import { fn, object, string } from '../kit/functions.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { appOf } from '../wires/process.ts';

const exec = promisify(execFile);
const LICENSED = { version: '1.0.0', license: { name: 'MIT', identifier: 'MIT' } } as const;

/** The response of a function, wherever it is written. */
function responseOf(app: App, name: string, status: number, profiles?: OpenApiProfiles): any {
  const document = openApiDocument(app, '3.1', '/', profiles) as any;
  const response = document.paths[`/functions/${name}`].post.responses[status];
  return response.$ref ? lookUp(document, response.$ref) : response;
}

let served: NodeHost;
let queried: NodeHost;

beforeAll(async () => {
  served = await serve(await appOf('calculator'), { port: 0 });
  queried = await serve(queries as never, { port: 0 });
});
afterAll(() => Promise.all([served.drain(), queried.drain()]));

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
  ...LICENSED,
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

/** With access rules, and functions that become tasks. */
const secured: App = createApp({
  name: 'Secured',
  ...LICENSED,
  functions: [
    defineFunction({ name: 'Open', description: 'Works', task: 'allowed', scopes: 'public', run: () => {} }),
    defineFunction({ name: 'Closed', description: 'Works', task: 'always', scopes: ['work'], run: () => {} }),
  ],
  access: { scopes: ['use'] },
});

interface Problem {
  readonly ruleId: string;
  readonly message: string;
}

/** What Redocly finds in documents, all in one process: starting it costs more than a document. */
async function lint(documents: Readonly<Record<string, string>>): Promise<Record<string, readonly Problem[]>> {
  const folder = temporaryFolder('lint');
  const files = Object.keys(documents).map((_, i) => join(folder, `${i}.json`));
  await Promise.all(Object.values(documents).map((text, i) => writeFile(files[i]!, text)));
  const args = ['lint', ...files, '--extends', 'recommended', '--format', 'json'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await exec('test/node_modules/.bin/redocly', args, { env, maxBuffer: 2 ** 24 }).catch(
    (error: { stdout: string }) => error,
  );
  // One JSON text for each file, after each other.
  const reports = JSON.parse(`[${stdout.replaceAll('\n}{\n', '\n},{\n')}]`) as { problems: Problem[] }[];
  expect(reports).toHaveLength(files.length);
  return Object.fromEntries(
    Object.keys(documents).map((name, i) => [
      name,
      // OpenAPI: a path without parameters is matched first. Authors choose it: /users/me next to /users/{id}.
      reports[i]!.problems.filter(({ ruleId }) => ruleId !== 'no-ambiguous-paths'),
    ]),
  );
}

describe('the OpenAPI document', () => {
  it(proves('openapi.lint', "passes Redocly's recommended rules, in all versions, profiles and dialects"), async () => {
    const documents: Record<string, string> = {};
    const [calculator, weather, streams] = await Promise.all(
      (['calculator', 'weather', 'streams'] as const).map(appOf),
    );
    const others = { shop, awkward, tasks: tasks as App, queries: queries as App, secured };
    const apps = { calculator, weather, streams, ...others } as Record<string, App>;
    const definitions = calculator!.functions.map(({ definition }) => definition);
    for (const version of ['3.1', '3.0'] as const satisfies readonly OpenApiVersion[]) {
      for (const profiles of ['own', 'all'] as const satisfies readonly OpenApiProfiles[]) {
        for (const [name, app] of Object.entries(apps))
          documents[`${name}, ${version}, ${profiles} profiles`] = openApiText(app, version, '/', profiles);
      }
      for (const profile of profileNames) {
        const app: App = createApp({ name: 'Profiled', ...LICENSED, functions: definitions, profile });
        documents[`${profile}, ${version}`] = openApiText(app, version);
      }
    }
    // That the linter sees anything at all.
    documents['broken'] = openApiText(awkward, '3.1').replace('"functions.Move"', '"a b"');
    const { broken, ...found } = await lint(documents);
    expect(broken).toMatchObject([{ ruleId: 'operation-operationId-url-safe' }]);
    expect(Object.entries(found).filter(([, problems]) => problems.length > 0)).toEqual([]);
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
      // A shared schema is there once, and a recursive one is complete.
      expect(Object.keys(document.components.schemas).filter((name) => name.startsWith('Place'))).toEqual(['Place']);
      expect(refs).toContain('#/components/schemas/Tree');
      const { responses } = document.paths['/functions/Odd'].post;
      expect(responses['200'].content['application/json'].examples.example1.value).toEqual({ result: '5' });
      const statuses = Object.keys(document.paths['/functions/Move'].post.responses);
      expect(statuses).toEqual(['200', '400', '406', '413', '415', '500', '503', '504']);
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
    const all = ['application/json', ...others('envelope', 'status', 'problem', 'mcp')];
    expect(types(plainApp, 200, 'all')).toEqual(all);
    expect(types(plainApp, 404, 'all')).toEqual(all.with(3, 'application/problem+json'));
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
        const init = asJson({ id }, { accept: `application/json; profile=${profile}` });
        const response = await app.fetch(new Request('http://localhost/functions/GetInstance', init));
        const documented = responseOf(app, 'GetInstance', response.status, 'all').content;
        expect(Object.keys(documented)).toContain(response.headers.get('content-type'));
      }
    }
  });

  it(proves('openapi.size', 'takes 1.5 KB for one more small function, and 250 KB for 150'), async () => {
    const calculator = await appOf('calculator');
    const sizeOf = (count: number, define: (i: number) => object) => {
      const functions = Array.from({ length: count }, (_, i) => define(i + 1)) as never;
      return openApiText(createApp({ name: 'Sizes', version: '1.0.0', functions }), '3.1').length;
    };
    const [add] = calculator.functions.map(({ definition }) => definition);
    const small = (i: number) => ({ ...add, name: `Add${i}` });
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
});

const CITY = { ids: [1, 2], address: { city: 'Rome' } };

/** TypeScript that compiles only if the generated clients know the parameters. */
const CALLS = `
import { Api } from './queries.js';
import { Api as Calculator30 } from './calculator-3.0.js';
import { Api as Calculator31 } from './calculator-3.1.js';
export async function calculate(baseUrl: string): Promise<unknown[]> {
  const clients = [new Calculator30({ baseUrl }), new Calculator31({ baseUrl })];
  return Promise.all(clients.map(async ({ functions }) => [
    (await functions.functionsAdd({ x: 20, y: 22 })).data.result,
    await functions.functionsDivide({ dividend: 1, divisor: 0 }).catch(({ status, error }) => [status, error]),
  ]));
}
export async function call(baseUrl: string): Promise<unknown[]> {
  const { add, users, functions } = new Api({ baseUrl });
  const sum: number = (await add.functionsAdd({ x: 1, y: 2 })).data.result;
  // @ts-expect-error y is required
  add.functionsAdd({ x: 1 }).catch(() => {});
  const user = (await users.functionsGetUser(7, { fields: ['a', 'b'] })).data.result;
  const renamed = (await users.functionsRenameUser(7, { name: 'Bo' })).data.result;
  const found = (await functions.functionsSearch({ ids: [1, 2], 'address.city': 'Rome' })).data.result;
  return [sum, user, renamed, found];
}
`;

it(proves('openapi.client', 'generated TypeScript clients compile, and call; from both versions'), async () => {
  const folder = temporaryFolder('openapi');
  const generate = async (name: string, spec: object) => {
    const { files } = await generateApi({ spec: spec as never, output: false, silent: true, fileName: `${name}.ts` });
    await writeFile(join(folder, `${name}.ts`), files[0]?.fileContent ?? '');
  };
  const versions = ['3.1', '3.0'] as const;
  for (const version of versions)
    await generate(`calculator-${version}`, openApiDocument(await appOf('calculator'), version));
  await generate('queries', openApiDocument(queries as never, '3.1'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'calls.ts'), CALLS);
  const options = ['--ignoreConfig', '--strict', '--module', 'nodenext', '--target', 'es2022'];
  await exec('node_modules/.bin/tsc', [...options, '--lib', 'es2022,dom,dom.iterable', join(folder, 'calls.ts')]);
  const { calculate, call } = (await import(pathToFileURL(join(folder, 'calls.js')).href)) as Record<
    'calculate' | 'call',
    (baseUrl: string) => Promise<unknown[]>
  >;
  const calculated = [42, [422, { error: 'Cannot divide by zero' }]];
  expect(await calculate(served.url)).toEqual([calculated, calculated]);
  expect(await call(queried.url)).toEqual([3, { id: 7, fields: ['a', 'b'] }, { id: 7, name: 'Bo' }, CITY]);
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
    const headers = ['Location', 'Operation-Location', 'Preference-Applied', 'Retry-After'];
    expect(Object.keys(accepted.headers)).toEqual(headers);
    const expected = { operationId: 'tasks.get', parameters: { taskId: '$response.body#/taskId' } };
    expect(accepted.links.task).toMatchObject(expected);
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
    // They need the credentials of those who start tasks.
    const guarded = openApiDocument(secured, '3.1') as any;
    expect(guarded.paths['/tasks/{taskId}'].get.security).toEqual([{ bearer: [] }, {}]);
  });

  it(proves('openapi.task', 'have ids without dots where functions have; and that no function has'), async () => {
    const options = { description: 'Works', task: 'always', run: () => {} } as const;
    const idsOf = (app: App) =>
      Object.values((openApiDocument(app, '3.0') as any).paths).flatMap((item: any) =>
        Object.values(item).map((operation: any) => operation.operationId as string),
      );
    const named = { name: 'Ids', ...LICENSED } as const;
    const work = defineFunction({ ...options, name: 'Work' });
    expect(idsOf(createApp({ ...named, names: 'portable', functions: [work] }))).toContain('tasks_get');
    const taken = defineFunction({ ...options, name: 'Get', operationId: 'tasks.get' });
    const ids = idsOf(createApp({ ...named, functions: [taken] }));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('everywire.tasks.get');
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

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> };
}

const { paths } = openApiDocument(queries as never, '3.1') as { paths: Record<string, Record<string, Operation>> };
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ route: `${method} ${path}`, ...operation })),
);
const at = (route: string) => operations.find((operation) => operation.route === route)!;

describe('parameters in the OpenAPI document', () => {
  it(proves('openapi.parameters', 'each function is there once, as its author declared it'), () => {
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
      queries.functions.map(({ operationId }) => operationId).toSorted(),
    );
    const own = ['get /add', 'get /users/{id}', 'post /users/{id}', 'get /users/me', 'get /users/{user}/posts/{slug}'];
    const gets = ['Search', 'Strict', 'Exact', 'Profiled', 'Dotted', 'Open', 'Shape', 'Recursive'];
    expect(operations.map(({ route }) => route)).toEqual([
      ...own,
      'get /flags/{on}',
      ...gets.map((name) => `get /functions/${name}`),
      'post /functions/Login',
    ]);
  });

  it(proves('openapi.parameters', 'long ones that several functions have are written once'), async () => {
    const description = 'The tenant whose data is read. '.repeat(8);
    const properties = { tenant: { type: 'string', description } } as const;
    const http = { method: 'GET' } as const;
    const parts = { hints: { readOnly: true }, http, input: object(properties), output: string };
    const functions = ['One', 'Two', 'Three'].map((name) => fn(name, parts, ({ tenant }) => tenant));
    const app = createApp({ name: 'Tenants', version: '1.0.0', functions });
    const document = openApiDocument(app as never, '3.1') as any;
    expect(document.components.parameters).toMatchObject({ Tenant: { name: 'tenant', in: 'query', description } });
    for (const name of ['One', 'Two', 'Three'])
      expect(document.paths[`/functions/${name}`].get.parameters).toEqual([{ $ref: '#/components/parameters/Tenant' }]);
    const { url, drain } = await serve(app, { port: 0 });
    const client = createClient(`${url}/openapi.json`);
    expect(await client.call('functions.Two', { tenant: 'a' })).toMatchObject({ ok: true, data: 'a' });
    await client.close();
    await drain();
  });

  it(proves('openapi.parameters', 'arguments of GET are in the path and in the query'), () => {
    expect(at('get /users/{id}')).toMatchObject({
      parameters: [
        { name: 'id', in: 'path', required: true, description: 'The id', schema: { type: 'integer' } },
        { name: 'fields', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
      ],
    });
    expect(at('get /add').parameters?.[0]).toMatchObject({ name: 'x', required: true, example: 1 });
    for (const { route, requestBody } of operations) expect(requestBody === undefined).toBe(route.startsWith('get'));
  });

  it(proves('openapi.parameters', 'objects have dotted names, up to a depth; deeper ones are JSON'), () => {
    const names = (route: string) => at(route).parameters?.map(({ name }) => name);
    expect(names('get /functions/Search')).toContain('address.geo.lat');
    expect(names('get /functions/Dotted')).toEqual(['a.b']);
    const expected = { name: 'tree.next.next.next', content: { 'application/json': { schema: { type: 'object' } } } };
    expect(at('get /functions/Recursive').parameters?.at(-1)).toMatchObject(expected);
  });

  it(proves('openapi.parameters', 'what is in the path is not in the body'), () => {
    const { parameters, requestBody } = at('post /users/{id}');
    expect(parameters).toMatchObject([{ name: 'id', in: 'path', required: true }]);
    const properties = { name: { type: 'string', description: 'The new name' } };
    expect(requestBody?.content).toEqual({
      'application/json': { schema: { type: 'object', properties, required: ['name'] } },
    });
  });

  const shape = { kind: 'circle', size: 1 };
  it.each([
    ['Add', { x: 1, y: 2 }, { ok: true, data: 3 }],
    ['GetUser', { id: 7, fields: ['a', 'b'] }, { data: { fields: ['a', 'b'] } }],
    ['GetUser', { id: 404 }, { ok: false, error: { code: 'NOT_FOUND' } }],
    ['Post', { user: 1, slug: 'a/b ?' }, { data: { user: 1, slug: 'a/b ?' } }],
    ['RenameUser', { id: 7, name: 'Bo' }, { data: { id: 7, name: 'Bo' } }],
    [
      'Search',
      { ids: [1, 2], either: ['a', 'b'], 'address.city': 'Rome' },
      { data: { ids: [1, 2], either: ['a', 'b'], address: { city: 'Rome' } } },
    ],
    ['Shape', { shape }, { data: { shape } }],
  ])(proves('client.openapi', 'are enough for a client to call %s %j'), async (name, input, outcome) => {
    const client = createClient(`${queried.url}/openapi.json`);
    expect(await client.call(`functions.${name}`, input)).toMatchObject(outcome);
    await client.close();
  });
});
