import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createFiles, memoryFolder } from 'everywire';
import { describe, expect, it } from 'vitest';
import app from '../apps/files.ts';
import { asJson } from '../kit/as-json.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { cgi, command } from '../kit/command.ts';
import { parseCgi } from '../wires/cgi.ts';
import { startServing } from '../kit/served.ts';

const MODULE = 'test/apps/files.ts';
const given = (name: string) => ({ path: name, text: name });

function mounted() {
  const folder = temporaryFolder('wires');
  const flags = ['--env', 'GREETING=hello', '--mount', `${folder}:/data`];
  return { flags, saved: (name: string) => readFileSync(join(folder, name), 'utf8') };
}

const BODY = (name: string) => `{"result":"hello ${name}"}`;
const OUTSIDE = '{"error":"Outside of every mount: /etc/passwd"}';

describe.concurrent('files and variables', () => {
  it(proves('files.every-wire', 'in process, in memory'), async () => {
    const folder = memoryFolder({ 'old.txt': 'old' });
    const options = { env: { GREETING: 'hello' }, files: createFiles([{ at: '/data', folder }]) };
    expect(await app.call('Save', given('memory'), options)).toEqual({ ok: true, data: 'hello memory' });
    expect(await options.files.open().readText('/data/memory')).toBe('hello memory');
    expect(await app.call('Save', { path: '../etc/passwd', text: '' }, options)).toMatchObject({
      error: { code: 'FORBIDDEN', message: 'Outside of every mount: /etc/passwd' },
    });
    expect(await app.call('Save', given('none'))).toMatchObject({
      error: { message: 'Outside of every mount: /data' },
    });
  });

  it(proves('files.every-wire', 'on the command line'), async () => {
    const { flags, saved } = mounted();
    const call = (name: string) => command(['call', MODULE, 'Save', '--input', JSON.stringify(given(name)), ...flags]);
    expect((await call('cli')).stdout).toBe(BODY('cli'));
    expect(saved('cli')).toBe('hello cli');
    expect((await call('/etc/passwd')).stdout).toBe(OUTSIDE);
  });

  it(proves('files.every-wire', 'over CGI'), async () => {
    const { flags, saved } = mounted();
    const call = async (name: string) => {
      const body = JSON.stringify(given(name));
      const variables = { REQUEST_METHOD: 'POST', PATH_INFO: '/Save', CONTENT_LENGTH: String(body.length) };
      return parseCgi((await cgi(MODULE, variables, body, ...flags)).stdout);
    };
    expect((await call('cgi')).body).toBe(BODY('cgi'));
    expect(saved('cgi')).toBe('hello cgi');
    expect(await call('/etc/passwd')).toMatchObject({ status: 403, body: OUTSIDE });
  });

  it(proves('files.every-wire', 'over HTTP'), async () => {
    const { flags, saved } = mounted();
    const served = await startServing(MODULE, ...flags);
    const call = (name: string) => fetch(`${served.url}/functions/Save`, asJson(given(name)));
    try {
      expect(await (await call('http')).text()).toBe(BODY('http'));
      expect(saved('http')).toBe('hello http');
      const refused = await call('/etc/passwd');
      expect([refused.status, await refused.text()]).toEqual([403, OUTSIDE]);
    } finally {
      await served.stop();
    }
  });

  it(proves('files.every-wire', 'over MCP'), async () => {
    const { flags, saved } = mounted();
    const client = new Client({ name: 'files', version: '1' });
    const args = ['dist/bin/everywire.js', 'mcp', MODULE, ...flags];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    try {
      const call = (name: string) => client.callTool({ name: 'functions.Save', arguments: given(name) });
      expect(await call('mcp')).toMatchObject({ content: [{ text: BODY('mcp') }] });
      expect(saved('mcp')).toBe('hello mcp');
      expect(await call('/etc/passwd')).toMatchObject({ content: [{ text: OUTSIDE }], isError: true });
    } finally {
      await client.close();
    }
  });
});
