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
const OUTSIDE = '{"error":"Outside of every mount: /etc/passwd"}';

/** The body of a call of Save, by a name; `ended` ends what was started for it. */
type Opened = (
  flags: readonly string[],
) => Promise<{ save(name: string): Promise<string>; ended?(): Promise<unknown> }>;

const wires: Record<string, Opened> = {
  'on the command line': async (flags) => ({
    save: async (name) =>
      (await command(['call', MODULE, 'Save', '--input', JSON.stringify(given(name)), ...flags])).stdout,
  }),
  'over CGI': async (flags) => ({
    async save(name) {
      const body = JSON.stringify(given(name));
      const variables = { REQUEST_METHOD: 'POST', PATH_INFO: '/Save', CONTENT_LENGTH: String(body.length) };
      return parseCgi((await cgi(MODULE, variables, body, ...flags)).stdout).body;
    },
  }),
  'over HTTP': async (flags) => {
    const { url, stop } = await startServing(MODULE, ...flags);
    return {
      save: async (name) => (await fetch(`${url}/functions/Save`, asJson(given(name)))).text(),
      ended: () => stop(),
    };
  },
  'over MCP': async (flags) => {
    const client = new Client({ name: 'files', version: '1' });
    const args = ['dist/bin/everywire.js', 'mcp', MODULE, ...flags];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    const save = async (name: string) => {
      const { content } = await client.callTool({ name: 'functions.Save', arguments: given(name) });
      return (content as { text: string }[])[0]!.text;
    };
    return { save, ended: () => client.close() };
  },
};

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

  it.each(Object.entries(wires))(proves('files.every-wire', '%s'), async (_wire, open) => {
    const folder = temporaryFolder('wires');
    const { save, ended } = await open(['--env', 'GREETING=hello', '--mount', `${folder}:/data`]);
    expect(await save('file')).toBe('{"result":"hello file"}');
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('hello file');
    expect(await save('/etc/passwd')).toBe(OUTSIDE);
    await ended?.();
  });
});
