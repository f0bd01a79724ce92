import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createClient } from 'everywire/client';
import { serve, toNodeHandler } from 'everywire/node';
import type { NodeHost } from 'everywire/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import app from '../app.ts';
import { hasPostgres, startPostgres } from './postgres.ts';
import type { Postgres } from './postgres.ts';

// The whole app on every wire, with either store.

const exec = promisify(execFile);
const command = fileURLToPath(new URL('../shop.mjs', import.meta.url));
const module = fileURLToPath(new URL('../app.ts', import.meta.url));
const everywire = createRequire(import.meta.url)
  .resolve('everywire/package.json')
  .replace('package.json', 'dist/bin/everywire.js');

interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const PNG = readFileSync(new URL('../sample/mug.png', import.meta.url));
const picture = new File([PNG], 'tea.png', { type: 'image/png' });
const csv = 'JAR-1;Jar;1200;5\nTEA-1;Tea;1;1\n';

for (const kind of ['memory', 'PostgreSQL'] as const) {
  describe.skipIf(kind === 'PostgreSQL' && !hasPostgres)(`with ${kind}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'shop-test-'));
    let postgres: Postgres | undefined;
    let server: NodeHost;
    let environment: Record<string, string>;

    beforeAll(async () => {
      if (kind === 'PostgreSQL') postgres = await startPostgres();
      environment = { SHOP_STAFF: 'ada', ...(postgres && { DATABASE_URL: postgres.url }) };
      server = await serve(app, { port: 0, env: environment });
      writeFileSync(join(folder, 'tea.png'), PNG);
      writeFileSync(join(folder, 'products.csv'), csv);
    });
    afterAll(async () => {
      rmSync(folder, { recursive: true });
      await postgres?.stop();
    });

    const shop = (...args: readonly string[]) => run(command, ...args);

    /** A command, with the variables of the shop by name: the address of a database has a password. */
    async function run(file: string, ...args: readonly string[]): Promise<Printed> {
      const named = Object.keys(environment).flatMap((name) => ['--env', name]);
      const options = { cwd: folder, env: { ...process.env, ...environment } };
      return exec(process.execPath, [file, ...args, ...named], options).then(
        (output) => ({ code: 0, ...output }),
        (error: Printed) => error,
      );
    }

    it('over HTTP, with the typed client', async () => {
      const client = createClient<typeof app>(server.url);
      const found = await client.call('products.List', { search: 'tea', limit: 1 });
      expect(found).toMatchObject({ ok: true, data: [{ sku: 'TEA-1', price: 450 }] });
      const customer = 'http@example.org';
      const order = await client.call('orders.Create', { customer, items: [{ sku: 'TEA-1', quantity: 2 }] });
      if (!order.ok) throw new Error(order.error.message);
      expect(order.data).toMatchObject({ customer, enteredBy: 'ada', total: 900 });
      expect(order.data.createdAt).toBeInstanceOf(Date);
      expect(await client.call('orders.List', { customer })).toMatchObject({ data: [order.data] });
      const invoice = await client.call('orders.Invoice', { id: order.data.id });
      expect(invoice.ok && (await invoice.data.text())).toMatch(/TEA-1 +2 x +4\.50\n\nTotal: 9\.00 EUR\n$/);
      const cancelled = await client.call('orders.Cancel', { id: order.data.id });
      expect(cancelled).toMatchObject({ ok: true, data: { status: 'cancelled' } });
      expect(await client.call('orders.Cancel', { id: order.data.id })).toMatchObject({ error: { code: 'NOT_FOUND' } });
      const much = await client.call('orders.Create', { customer, items: [{ sku: 'TEA-2', quantity: 4 }] });
      expect(much).toMatchObject({ error: { code: 'OUT_OF_STOCK', details: { sku: 'TEA-2' } } });
    });

    it('over HTTP, as a page in a browser would', async () => {
      const form = new FormData();
      form.set('sku', 'MUG-1');
      form.set('picture', picture);
      const upload = await fetch(`${server.url}/functions/products.SetPicture`, { method: 'POST', body: form });
      expect([upload.status, await upload.text()]).toEqual([200, '{}']);
      const download = await fetch(`${server.url}/products/MUG-1/picture`);
      expect(download.headers.get('content-type')).toBe('image/png');
      expect(download.headers.get('content-disposition')).toContain('tea.png');
      expect(Buffer.from(await download.arrayBuffer())).toEqual(PNG);
      form.set('picture', new File(['text'], 'tea.txt', { type: 'text/plain' }));
      const wrong = await fetch(`${server.url}/functions/products.SetPicture`, { method: 'POST', body: form });
      expect(wrong.status).toBe(400);
      expect((await fetch(`${server.url}/products/TEA-9`)).status).toBe(404);
    });

    it('as a stream: rows come one by one, and then the result', async () => {
      const client = createClient<typeof app>(server.url);
      const rows = [];
      const stream = client.stream('products.Import', { file: new File([csv], 'products.csv') });
      for await (const row of stream) rows.push(row);
      expect(rows).toEqual([
        { line: 1, sku: 'JAR-1' },
        { line: 2, sku: 'TEA-1', problem: 'There is a product TEA-1 already' },
      ]);
      expect(await stream.outcome).toMatchObject({ ok: true, data: { added: 1, refused: 1 } });
    });

    it('over MCP, with the typed client and with the MCP SDK', async () => {
      const typed = createClient<typeof app>(`${server.url}/mcp`);
      await typed.call('products.SetPicture', { sku: 'TEA-2', picture });
      const found = await typed.call('products.Picture', { sku: 'TEA-2' });
      expect(found.ok && Buffer.from(await found.data.arrayBuffer())).toEqual(PNG);
      await typed.close();

      const named = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
      const sdk = new Client({ name: 'test', version: '1.0.0' });
      await sdk.connect(new StdioClientTransport({ command: process.execPath, args: [command, 'mcp', ...named] }));
      const { tools } = await sdk.listTools();
      expect(tools).toHaveLength(10);
      const called = await sdk.callTool({ name: 'functions.products.Get', arguments: { sku: 'TEA-1' } });
      expect(called.structuredContent).toMatchObject({ result: { sku: 'TEA-1', price: 450 } });
      await sdk.close();
    });

    it('on the command line: groups, positions, files and streams', async () => {
      expect((await shop('products', 'get', 'TEA-1')).stdout).toMatch(/^\{"result":\{"sku":"TEA-1",/);
      expect((await shop('products', 'set-picture', 'TEA-1', '@tea.png')).stdout).toBe('{}');
      const items = '[{"sku":"MUG-1","quantity":1}]';
      const order = await shop('orders', 'create', '--customer', 'cli@example.org', '--items', items);
      expect(JSON.parse(order.stdout)).toMatchObject({ result: { enteredBy: 'ada', total: 900 } });
      const imported = await shop('products', 'import', '@products.csv', '--stream');
      const events = imported.stdout.trim().split('\n');
      expect(events.filter((event) => event.startsWith('{"event":"chunk"'))).toHaveLength(2);
      expect(JSON.parse(events.at(-1)!)).toMatchObject({ event: 'result' });
      expect((await shop('products', 'list', '-n', '1', '--format', 'table')).stdout).toContain('sku');
      expect((await shop('orders', 'list', 'nobody')).code).toBe(2);
    });

    it('as a CGI script', async () => {
      const variables = { REQUEST_METHOD: 'GET', PATH_INFO: '/products/TEA-1', GATEWAY_INTERFACE: 'CGI/1.1' };
      const named = Object.keys(environment).flatMap((name) => ['--env', name]);
      const { stdout } = await exec(process.execPath, [command, 'cgi', ...named], {
        env: { ...process.env, ...environment, ...variables },
      });
      expect(stdout).toMatch(/^Status: 200 OK\r\n[^]*\r\n\r\n\{"result":\{"sku":"TEA-1"/);
    });

    it('in this process, and as a web-standard handler', async () => {
      const call = await app.call('products.Get', { sku: 'TEA-1' }, { env: environment });
      expect(call).toMatchObject({ ok: true, data: { name: 'Green tea, 100 g' } });
      const response = await app.fetch(new Request('http://shop.example/products?search=mug'));
      expect(await response.json()).toMatchObject({ result: [{ sku: 'MUG-1' }] });
    });

    it('inside another server', async () => {
      const outer = createServer(toNodeHandler(app, { base: '/shop' })).listen(0, '127.0.0.1');
      await once(outer, 'listening');
      const { port } = outer.address() as AddressInfo;
      const response = await fetch(`http://127.0.0.1:${port}/shop/products/MUG-1`);
      expect(await response.json()).toMatchObject({ result: { sku: 'MUG-1' } });
      outer.close();
    });

    it('built as one file', async () => {
      const built = join(folder, 'shop.built.mjs');
      await exec(process.execPath, [everywire, 'build', module, '--out', built]);
      expect((await run(built, 'products', 'get', 'TEA-1')).stdout).toMatch(/^\{"result":\{"sku":"TEA-1",/);
    });

    it('only staff may change products, on every wire', async () => {
      const cup = { sku: 'CUP-1', name: 'Cup', price: 700, stock: 5 };
      expect(await app.call('products.Add', cup, { env: {} })).toMatchObject({ error: { code: 'FORBIDDEN' } });
      const { SHOP_STAFF: _, ...guest } = environment;
      environment = guest;
      const refused = await shop('products', 'add', '--input', JSON.stringify(cup));
      expect([refused.code, refused.stdout]).toEqual([1, '{"error":"Only for staff"}']);
      environment = { SHOP_STAFF: 'ada', ...guest };
    });

    it.skipIf(kind === 'memory')('what one process writes, another one reads', async () => {
      const cup = { sku: 'CUP-2', name: 'Cup', price: 700, stock: 5 };
      expect((await shop('products', 'add', '--input', JSON.stringify(cup))).code).toBe(0);
      const client = createClient<typeof app>(server.url);
      expect(await client.call('products.Get', { sku: 'CUP-2' })).toMatchObject({ ok: true, data: cup });
      const file = join(folder, 'found.png');
      await client.call('products.SetPicture', { sku: 'CUP-2', picture });
      await shop('products', 'picture', 'CUP-2', '--out', file);
      expect(readFileSync(file)).toEqual(PNG);
    });

    it('after the last call, the store is closed', async () => {
      expect((await postgres?.connections()) ?? 1).toBeGreaterThan(0);
      expect(await server.drain()).toBe(true);
      expect((await postgres?.connections()) ?? 0).toBe(0);
    });
  });
}
