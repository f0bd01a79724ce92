import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createApp, defineFunction } from 'everywire';
import { createClient } from 'everywire/client';
import { serve } from 'everywire/node';
import { generateApi } from 'swagger-typescript-api';
import { describe, expect, it } from 'vitest';
import { openApiDocument, openApiText } from '../../dist/wires/http/openapi/document.js';
import queries from '../apps/queries.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const exec = promisify(execFile);

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

const CITY = { ids: [1, 2], address: { city: 'Rome' } };

/** TypeScript that compiles only if the generated client knows the parameters. */
const CALLS = `
import { Api } from './client.js';
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

describe('parameters in the OpenAPI document', () => {
  it(proves('openapi.parameters', 'each function is there once, as its author declared it'), () => {
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
      queries.functions.map(({ operationId }) => operationId).toSorted(),
    );
    expect(operations.map(({ route }) => route)).toEqual([
      'get /add',
      'get /users/{id}',
      'post /users/{id}',
      'get /users/me',
      'get /users/{user}/posts/{slug}',
      'get /flags/{on}',
      'get /functions/Search',
      'get /functions/Strict',
      'get /functions/Exact',
      'get /functions/Profiled',
      'get /functions/Dotted',
      'get /functions/Open',
      'get /functions/Shape',
      'get /functions/Recursive',
      'post /functions/Login',
    ]);
  });

  it(proves('openapi.parameters', 'long ones that several functions have are written once'), async () => {
    const description = 'The tenant whose data is read. '.repeat(8);
    const input = {
      type: 'object',
      properties: { tenant: { type: 'string', description } },
      required: ['tenant'],
    } as const;
    const functions = ['One', 'Two', 'Three'].map((name) =>
      defineFunction({
        name,
        description: 'Reads',
        hints: { readOnly: true },
        http: { method: 'GET' },
        input,
        output: { type: 'string', description: 'The tenant' },
        run: ({ tenant }) => tenant,
      }),
    );
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
    expect(at('get /functions/Recursive').parameters?.at(-1)).toMatchObject({
      name: 'tree.next.next.next',
      content: { 'application/json': { schema: { type: 'object' } } },
    });
  });

  it(proves('openapi.parameters', 'what is in the path is not in the body'), () => {
    const { parameters, requestBody } = at('post /users/{id}');
    expect(parameters).toMatchObject([{ name: 'id', in: 'path', required: true }]);
    expect(requestBody?.content).toEqual({
      'application/json': {
        schema: {
          type: 'object',
          properties: { name: { type: 'string', description: 'The new name' } },
          required: ['name'],
        },
      },
    });
  });

  it.each(['3.1', '3.0'] as const)(proves('openapi.lint', 'with parameters, %s'), async (version) => {
    const file = join(temporaryFolder('openapi-parameters'), `${version}.json`);
    await writeFile(file, openApiText(queries as never, version));
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const linting = exec(
      'test/node_modules/.bin/redocly',
      ['lint', file, '--extends', 'recommended', '--format', 'json'],
      { env },
    );
    const { stdout } = await linting.catch((error: { stdout: string }) => error);
    const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] };
    // OpenAPI: a path without parameters is matched first. Authors choose it: /users/me next to /users/{id}.
    expect(problems.filter(({ ruleId }) => ruleId !== 'no-ambiguous-paths')).toEqual([]);
  });

  it(proves('openapi.client', 'are typed in a generated client, which calls the server with them'), async () => {
    const folder = temporaryFolder('openapi-parameters');
    const spec = openApiDocument(queries as never, '3.1') as never;
    const { files } = await generateApi({ spec, output: false, silent: true, fileName: 'client.ts' });
    await writeFile(join(folder, 'client.ts'), files[0]?.fileContent ?? '');
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'calls.ts'), CALLS);
    const options = ['--ignoreConfig', '--strict', '--module', 'nodenext', '--target', 'es2022'];
    await exec('node_modules/.bin/tsc', [...options, '--lib', 'es2022,dom,dom.iterable', join(folder, 'calls.ts')]);
    const { call } = (await import(pathToFileURL(join(folder, 'calls.js')).href)) as {
      call: (baseUrl: string) => Promise<unknown[]>;
    };
    const host = await serve(queries as never, { port: 0 });
    try {
      expect(await call(host.url)).toEqual([3, { id: 7, fields: ['a', 'b'] }, { id: 7, name: 'Bo' }, CITY]);
    } finally {
      await host.drain();
    }
  });

  it(proves('client.openapi', 'are enough for a client to call everything'), async () => {
    const host = await serve(queries as never, { port: 0 });
    const client = createClient(`${host.url}/openapi.json`);
    try {
      const call = (name: string, input: object) => client.call(`functions.${name}` as never, input as never);
      expect(await call('Add', { x: 1, y: 2 })).toMatchObject({ ok: true, data: 3 });
      expect(await call('GetUser', { id: 7, fields: ['a', 'b'] })).toMatchObject({ data: { fields: ['a', 'b'] } });
      expect(await call('GetUser', { id: 404 })).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
      expect(await call('Post', { user: 1, slug: 'a/b ?' })).toMatchObject({ data: { user: 1, slug: 'a/b ?' } });
      expect(await call('RenameUser', { id: 7, name: 'Bo' })).toMatchObject({ data: { id: 7, name: 'Bo' } });
      expect(await call('Search', { ids: [1, 2], either: ['a', 'b'], 'address.city': 'Rome' })).toMatchObject({
        data: { ids: [1, 2], either: ['a', 'b'], address: { city: 'Rome' } },
      });
      const shape = { kind: 'circle', size: 1 };
      expect(await call('Shape', { shape })).toMatchObject({ data: { shape } });
    } finally {
      await client.close();
      await host.drain();
    }
  });
});
