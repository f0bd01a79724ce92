import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modules } from '../every-wire.ts';
import { asJson } from '../kit/as-json.ts';
import { sharedServer } from '../kit/broker.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { parseCgi, runCgi } from '../wires/cgi.ts';
import { run } from '../wires/cli.ts';

// The verification scenarios of Kuniumi 009 and 010, under their own names.

let url: string;
beforeAll(async () => {
  url = await sharedServer(modules.calculator);
});

const specification = async () => (await fetch(`${url}/openapi.json`)).json();

describe('Kuniumi', () => {
  it(proves('cli.help', 'Help'), async () => {
    const { stdout, code } = await run(['examples/calculator/calculator.mjs', '--help']);
    expect(stdout.split('\n')[0]).toMatch(/^Calculator v1\.0\.0 \(based on everywire v\d+\.\d+\.\d+ \w+\)$/);
    for (const word of ['serve', 'add', 'Adds two integers together']) expect(stdout).toContain(word);
    expect(code).toBe(0);
  });

  it.each([
    ['Serve/FunctionCall (010 scenario 6)', '{"x": 5, "y": 5}', 200, '{"result":10}'],
    ['Serve/ErrorResponse (010 scenario 3)', 'not json', 400, '{"error":"Invalid JSON body"}'],
    ['Serve/StringArgs', '{"x": "10", "y": "20"}', 200, '{"result":30}'],
  ])(proves('body.same-bytes', '%s'), async (_scenario, body, status, answer) => {
    const response = await fetch(`${url}/functions/Add`, asJson(body));
    expect([response.status, await response.text()]).toEqual([status, answer]);
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  it(proves('openapi.document', 'Serve/OpenAPI'), async () => {
    const { openapi, info, paths } = await specification();
    expect([openapi, info.title, info.version]).toEqual(['3.1.1', 'Calculator', '1.0.0']);
    const { post: operation } = paths['/functions/Add'];
    const { properties, required } = operation.requestBody.content['application/json'].schema;
    expect(properties.x).toMatchObject({ type: 'integer', description: 'First integer to add' });
    expect(required).toEqual(['x', 'y']);
    const answer = operation.responses['200'].content['application/json'].schema;
    expect(answer.properties.result).toMatchObject({ type: 'integer', description: 'Sum of x and y' });
    expect(answer.required).toEqual(['result']);
  });

  it(
    proves('openapi.document', 'OpenAPI spec: operationId (009 scenario 1), error schemas (010 scenario 5)'),
    async () => {
      const { paths } = await specification();
      const { operationId, description } = paths['/functions/Add'].post;
      expect([operationId, description]).toEqual(['functions.Add', 'Adds two integers together']);
      const schema = { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] };
      for (const { post } of Object.values<any>(paths))
        for (const status of ['400', '500'])
          expect(post.responses[status].content['application/json'].schema).toEqual(schema);
    },
  );

  describe('CGI', () => {
    const call = async (path: string, body: string, ...flags: string[]) => {
      const method = { REQUEST_METHOD: body === '' ? 'GET' : 'POST', PATH_INFO: path };
      const variables = { ...method, CONTENT_TYPE: 'application/json', CONTENT_LENGTH: String(body.length) };
      const args = ['examples/calculator/calculator.mjs', 'cgi', ...flags];
      return (await runCgi(args, variables, Buffer.from(body))).stdout;
    };

    it.each([
      ['CGI (010 scenario 6)', '/Add', '{"x": 10, "y": 20}', '200 OK', '{"result":30}'],
      ['CGI/ErrorResponse (010 scenario 4)', '/None', '{}', '404 Not Found', '{"error":"Function not found: None"}'],
      ['CGI/StringArgs', '/Add', '{"x": "10", "y": "20"}', '200 OK', '{"result":30}'],
    ])(proves('cgi.output', '%s'), async (_scenario, path, given, status, answer) => {
      const output = await call(path, given);
      expect(output).toContain(`Status: ${status}\r\n`);
      expect(output).toContain('Content-Type: application/json\r\n');
      expect(parseCgi(output).body).toBe(answer);
    });

    it(proves('cgi.document', 'CGI/OpenAPI (009 scenario 3)'), async () => {
      const { paths } = JSON.parse(parseCgi(await call('/openapi.json', '')).body);
      expect(paths['/functions/Add'].post.operationId).toBe('functions.Add');
    });

    it(proves('files.every-wire', 'VirtualEnv'), async () => {
      const folder = temporaryFolder('kuniumi');
      const { body } = parseCgi(await call('/Add', '{"x":1,"y":1}', '--env', 'DEBUG=true', '--mount', `${folder}:/`));
      expect(body).toBe('{"result":2}');
      expect(readFileSync(join(folder, 'debug.log'), 'utf8')).toContain('Adding 1 + 1');
    });
  });

  describe('MCP', () => {
    const client = new Client({ name: 'kuniumi', version: '1' });
    beforeAll(() => client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`))));
    afterAll(() => client.close());

    it(proves('mcp.list', 'MCP/ListTools, MCP/ToolSchema'), async () => {
      const add = (await client.listTools()).tools.find(({ name }) => name === 'functions.Add');
      expect(add?.inputSchema).toMatchObject({
        type: 'object',
        properties: { x: { type: 'integer', description: 'First integer to add' }, y: { type: 'integer' } },
      });
      expect(add?.outputSchema).toMatchObject({ type: 'object', properties: { result: { type: 'integer' } } });
    });

    it.each([
      ['MCP/CallTool', 'Add', { x: 10, y: 20 }, '{"result":30}', false],
      ['MCP/CallToolError', 'Divide', { dividend: 1, divisor: 0 }, '{"error":"Cannot divide by zero"}', true],
    ])(proves('body.one', '%s'), async (_scenario, name, given, text, isError) => {
      const result = await client.callTool({ name: `functions.${name}`, arguments: given });
      expect(result).toMatchObject({ content: [{ type: 'text', text }], isError });
    });
  });
});
