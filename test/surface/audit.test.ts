import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../access/issuer.ts';
import { auditRules } from '../../src/proof/audit-rules.ts';
import { modules } from '../every-wire.ts';
import { expectErrors } from '../kit/errors.ts';
import { proves } from '../promises.ts';
import { sharedServer } from '../kit/broker.ts';
import { command } from '../kit/command.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { startServing, type Served } from '../kit/served.ts';

// The audit sends numbers whose sum is none.
expectErrors(/"message":"Invalid output: expected /);

interface Report {
  readonly findings: readonly { rule: string; subject: string; message: string; reproduce: string }[];
  readonly checked: readonly string[];
  readonly skipped: readonly string[];
  readonly responses: number;
}

const audit = (...args: readonly string[]) => command(['audit', ...args]);

async function report(...args: readonly string[]): Promise<Report & { code: number }> {
  const { stdout, stderr, code } = await audit('--json', ...args);
  if (stdout === '') throw new Error(stderr);
  return { ...(JSON.parse(stdout) as Report), code };
}

const found = ({ findings }: Report) =>
  [...new Set(findings.map(({ rule, subject }) => `${subject} ${rule}`))].toSorted();

const WRONG = ['test/apps/wrong-mcp-server.mjs'];

/** What is wrong with the server, on any transport. */
const FAULTS = [
  'breaks call.answered',
  'careless call.invalid',
  'envelope envelope.item-type',
  'envelope envelope.timestamp',
  'everywire-audit-no-such-tool call.unknown',
  'mismatch mcp.same-text',
  'picture mcp.image-item',
  'schema mcp.output-schema',
  'silent call.answered',
];

let served: Served;
let wrong: ChildProcess;
let address: string;

beforeAll(async () => {
  served = await startServing(modules.calculator);
  wrong = spawn(process.execPath, [...WRONG, '--http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [first] = (await once(wrong.stdout!, 'data')) as [Buffer];
  address = first.toString().trim();
});
afterAll(async () => {
  wrong.kill();
  await served.stop();
});

/** A server of ours, on stdio. */
const mcp = (module: string) => ['--', process.execPath, 'dist/bin/everywire.js', 'mcp', module];

describe.concurrent('everywire audit of an MCP server', () => {
  it(proves('proof.audit', 'finds nothing in a good one on stdio, and calls only what is read-only'), async () => {
    const { findings, checked, skipped, code, responses } = await report(...mcp(modules.calculator));
    expect(findings).toEqual([]);
    expect(checked).toEqual(['functions.Add', 'functions.Divide', 'functions.DivMod']);
    expect(skipped).toEqual(['functions.Reset', 'functions.Statistics']);
    expect(responses).toBeGreaterThan(12);
    expect(code).toBe(0);
  });

  it(proves('proof.audit', 'takes no character of a message on stdio for the end of a line'), async () => {
    const app = `import { createApp, defineFunction } from ${JSON.stringify(resolve('dist/index.js'))};
const output = { type: 'string', description: 'Text' };
export default createApp({ name: 'Separators', version: '1', functions: [
  defineFunction({ name: 'Text', description: 'a\\u2028b', output, hints: { readOnly: true }, run: () => 'a\\u2028b\\u2029c' }),
] });`;
    const file = join(temporaryFolder('separators', { 'app.mjs': app }), 'app.mjs');
    expect(await report(...mcp(file))).toMatchObject({ findings: [], checked: ['functions.Text'] });
  });

  it(proves('proof.audit', 'finds nothing in a good one over HTTP'), async () => {
    expect(await report(`${served.url}/mcp`)).toMatchObject({ findings: [], code: 0 });
  });

  it.each([
    ['on stdio', ['stdout stdio.messages'], () => ['--', process.execPath, ...WRONG]],
    ['over HTTP', [], () => [address]],
  ])(proves('proof.audit', 'finds every fault of a wrong one %s'), async (_wire, more, target) => {
    const given = await report('--timeout', '3000', ...target());
    expect(found(given)).toEqual([...FAULTS, ...more].toSorted());
    expect(given).toMatchObject({ skipped: ['deletes'], code: 1 });
  });

  it(proves('proof.audit', 'says how to see each finding again, and leaves out rules that are ignored'), async () => {
    const ignored = Object.keys(auditRules).flatMap((rule) => ['--ignore', rule]);
    const { stdout, code } = await audit('--timeout', '3000', ...ignored, '--', process.execPath, ...WRONG);
    expect(stdout).toContain(
      `mcp.same-text (One text is the JSON of \`structuredContent\`)
  mismatch: /content: no text is the JSON of structuredContent
    tools/call {"name":"mismatch","arguments":{}}`,
    );
    expect(stdout).not.toContain('call.');
    expect(stdout).toMatch(/\n\d+ findings\n$/);
    expect(code).toBe(1);
  });
});

describe.concurrent('everywire audit of an OpenAPI service', () => {
  it(proves('proof.audit', 'finds nothing in a good one'), async () => {
    const given = await report(`${served.url}/openapi.json`, '--all');
    expect(given).toMatchObject({ findings: [], skipped: [], code: 0 });
    expect(given.checked).toContain('functions.Statistics');
    expect(given.responses).toBeGreaterThan(30);
  });

  it(proves('proof.audit', 'calls nothing but GET unasked'), async () => {
    expect(await report(`${served.url}/openapi.json`)).toMatchObject({ checked: [], code: 0 });
    expect((await audit(`${served.url}/openapi.json`)).stdout).toMatch(/\nnothing was checked\n$/);
  });

  it(proves('proof.audit', 'finds what a wrong one does not keep to'), async () => {
    const content = (schema: object) => ({ description: 'It', content: { 'application/json': { schema } } });
    const paths = {
      '/number': { get: { operationId: 'number', responses: { 200: content({ type: 'number' }) } } },
      '/hidden': { get: { operationId: 'hidden', responses: { 200: content({ type: 'number' }) } } },
      '/things/{id}': {
        get: {
          operationId: 'thing',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }],
          responses: { '2XX': content({ $ref: '#/components/schemas/Thing' }) },
        },
        delete: { operationId: 'remove', responses: {} },
      },
    };
    const components = { schemas: { Thing: { type: 'object', required: ['id'] } } };
    const answers: Record<string, readonly [number, string]> = {
      '/openapi.json': [200, JSON.stringify({ openapi: '3.1.0', paths, components })],
      '/number': [200, '"five"'],
      '/hidden': [418, '5'],
    };
    const methods = new Set<unknown>();
    await using server = await startServer(({ url = '', method }, response) => {
      methods.add(method);
      const [status, body] = answers[url] ?? [200, '{"success":true}'];
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    const given = await report(`${server.url}/openapi.json`);
    expect(found(given)).toEqual([
      'hidden openapi.status',
      'number openapi.body',
      'thing envelope.content',
      'thing envelope.timestamp',
      'thing openapi.body',
    ]);
    const wrongNumber = given.findings.find(({ subject }) => subject === 'number');
    expect(wrongNumber?.reproduce).toBe(`curl -X GET '${server.url}/number'`);
    expect(given).toMatchObject({ skipped: ['remove'], code: 1 });
    expect([...methods]).toEqual(['GET']);
  });
});

describe.concurrent('everywire audit of a log', () => {
  const write = (lines: readonly unknown[]) => {
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    return join(temporaryFolder('audit', { 'log.jsonl': texts.join('\n') }), 'log.jsonl');
  };

  it(proves('proof.audit', 'finds nothing in a good one, of bodies, messages and audit records'), async () => {
    const file = write([
      { success: true, timestamp: '2026-01-02T03:04:05Z', content: [{ type: 'text', text: 'Done' }] },
      { status: 'SUCCESS', data: 1 },
      { result: 1 },
      { content: [{ type: 'text', text: '{"result":1}' }], structuredContent: { result: 1 }, isError: false },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', arguments: {} } },
      { jsonrpc: '2.0', id: 1, result: { content: [], isError: false } },
      { time: '2026-01-02T03:04:05Z', operationId: 'functions.Add', code: 'OK', violations: [] },
      '',
    ]);
    expect(await report(file)).toMatchObject({ findings: [], responses: 7, code: 0 });
  });

  it(proves('proof.audit', 'finds what is wrong, by line; results are held to the listed schemas'), async () => {
    const tool = { name: 'sum', inputSchema: {}, outputSchema: { type: 'object', required: ['sum'] } };
    const result = { content: [{ type: 'text', text: '{}' }], structuredContent: {}, isError: false };
    const file = write([
      'starting…',
      { success: true, data: { instanceId: 'i-1' } },
      { ok: true, data: {} },
      { jsonrpc: '2.0', id: 'l', method: 'tools/list' },
      { jsonrpc: '2.0', id: 'l', result: { tools: [tool] } },
      { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'sum' } },
      { jsonrpc: '2.0', id: 7, result },
      { operationId: 'functions.Add', violations: [{ rule: 'plain.keys', pointer: '/x', message: 'not allowed' }] },
    ]);
    const { findings, code } = await report(file);
    expect(findings.map(({ rule, subject, reproduce }) => `${rule} ${subject} ${reproduce.replace(file, '')}`)).toEqual(
      [
        'log.json line 1 :1',
        'envelope.timestamp line 2 :2',
        'envelope.content line 2 :2',
        'envelope.success line 3 :3',
        'envelope.timestamp line 3 :3',
        'envelope.content line 3 :3',
        'mcp.output-schema sum :7',
        'plain.keys functions.Add :8',
      ],
    );
    expect(code).toBe(1);
  });
});

it.each([
  [[], 2, 'expected a target: a URL, a file, or -- and a command'],
  [['no-such-file'], 2, 'neither a URL that starts with http:// or https:// nor a file'],
  [['http://127.0.0.1:8080/'], 2, 'add --wire mcp or --wire openapi'],
  [['--ignore', 'mcp.same-txt', 'README.md'], 2, 'Did you mean mcp.same-text?'],
  [['http://127.0.0.1:1/openapi.json'], 3, 'cannot be reached'],
  [['http://127.0.0.1:1/mcp'], 3, 'The MCP server cannot be reached'],
  [['--', process.execPath, '-e', '0'], 3, 'The MCP server cannot be reached'],
  [['--', 'no-such-program-here'], 3, 'ENOENT'],
])(proves('proof.audit', 'says what is wrong with its target: %j'), async (args, exit, message) => {
  expect(await audit(...args)).toEqual({ stdout: '', stderr: expect.stringContaining(message), code: exit });
});

it(proves('proof.audit', 'docs/proof.md lists the rules for whole exchanges'), async () => {
  const page = await readFile('docs/proof.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([\w.]+)`\s+\| ([^|]*?)\.?\s*\|$/gm)].map(([, id, sentence]) => [id, sentence]);
  expect(Object.fromEntries(rows)).toEqual(auditRules);
});

it.each(['', '?version=3.0', '?profiles=all'])(proves('proof.audit', 'openapi.json%s: references'), async (variant) => {
  const shop = await sharedServer('test/generators/shop.ts');
  const given = await report(`${shop}/openapi.json${variant}`, '--all', '--calls', '3');
  expect(given).toMatchObject({ findings: [], skipped: [], code: 0 });
  expect(given.checked).toHaveLength(30);
});
