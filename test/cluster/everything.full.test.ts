import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canCertify, createCertificate, nameServedBy, type Certificate } from '../kit/certificates.ts';
import { ASKABLE, INITIALIZE, modern, only, post, tool } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { builtModule } from '../kit/built.ts';
import { expectErrors } from '../kit/errors.ts';
import { untilServing, type Served } from '../kit/served.ts';
import { processesAt, startWorkers, stopWorkers, until, untilPrinted } from './calling.ts';

const APP = 'test/apps/workers.ts';

expectErrors(/TLS: the key in .* does not belong to the certificate/, /the previous ones stay/);

/** A message of MCP 2026-07-28, on a connection of its own. */
const ask = (url: string, method: string, params: Record<string, unknown>) =>
  modern(url, { method, params: { ...params, _meta: ASKABLE } }, undefined, { connection: 'close' });

const callTool = (url: string, name: string, more: object = {}) =>
  only(ask(url, 'tools/call', tool(name, {}, more).params));

let served: Served;
beforeAll(async () => void (served = await startWorkers(APP)));
afterAll(async () => {
  await served?.stop();
  stopWorkers();
});

describe.concurrent('with several processes', () => {
  it(proves('workers.shared', 'any process takes the answers to a question of another'), async () => {
    const { result: asked } = await callTool(served.url, 'Ask');
    expect(asked).toMatchObject({ resultType: 'input_required' });
    const inputResponses = { question1: { action: 'accept', content: { yes: true } } };
    const pids = new Set<number>();
    for (let i = 0; i < 8; i++) {
      const { result } = await callTool(served.url, 'Ask', { inputResponses, requestState: asked.requestState });
      pids.add(result.structuredContent.result as number);
    }
    expect(pids.size).toBe(2);
  });

  it(proves('workers.shared', 'clients hear of changes in every process, once'), async () => {
    const listening = await ask(served.url, 'subscriptions/listen', {
      notifications: { resourceSubscriptions: ['note://1'] },
    });
    const reader = listening.body!.pipeThrough(new TextDecoderStream()).getReader();
    let heard = '';
    void (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) heard += part.value;
    })();
    await until('acknowledged', () => heard.includes('acknowledged'));
    const pids = new Set<number>();
    for (let i = 0; i < 8; i++) {
      pids.add((await callTool(served.url, 'Change')).result.structuredContent.result as number);
    }
    expect(pids.size).toBe(2);
    await until('all changes', () => heard.match(/notifications\/resources\/updated/g)?.length === 8);
    await reader.cancel();
    expect(heard.match(/notifications\/resources\/updated/g)).toHaveLength(8);
  });

  it(proves('workers.shared', 'there are no sessions of 2025-11-25, and a line says so'), async () => {
    const response = await post(served.url, INITIALIZE);
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, null]);
    expect(served.stderr()).toContain(
      'MCP sessions (2025-11-25) are off, since each process would have its own; share them with --store redis://…\n',
    );
  });

  it(proves('workers.all', 'a built app serves'), async () => {
    const built = await builtModule(APP);
    const child = spawn(process.execPath, [built, 'serve', '--workers', '2', '--port', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const { url, log } = await untilServing(child);
    await until('the banner', () => log().includes('Processes 2'));
    expect((await processesAt(url)).size).toBe(2);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.runIf(canCertify)(proves('workers.all', 'HTTPS and HTTP/2; SIGHUP reads the certificate again'), async () => {
    const folder = temporaryFolder('workers-tls');
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    const install = ({ cert, key }: Certificate) => {
      copyFileSync(cert, files.cert);
      copyFileSync(key, files.key);
    };
    const [first, second] = [createCertificate('first'), createCertificate('second')];
    install(first);
    const secure = await startWorkers(APP, '--tls-cert', files.cert, '--tls-key', files.key);
    const curl = async (version: string) => {
      const flags = ['-sk', version, '-w', ' %{http_version}', '-d', ''];
      return (await promisify(execFile)('curl', [...flags, `${secure.url}/functions/Who`])).stdout;
    };
    expect(await curl('--http1.1')).toMatch(/^\{"result":\d+\} 1\.1$/);
    expect(await curl('--http2')).toMatch(/^\{"result":\d+\} 2$/);
    expect(await nameServedBy(secure)).toBe('first');
    copyFileSync(second.cert, files.cert);
    secure.child.kill('SIGHUP');
    await untilPrinted(secure, 'the previous ones stay');
    expect(secure.stderr()).toContain(`error: TLS: the key in ${files.key} does not belong to the certificate`);
    expect(await nameServedBy(secure)).toBe('first');
    install(second);
    secure.child.kill('SIGHUP');
    await untilPrinted(secure, 'SIGHUP: new processes serve');
    expect(await nameServedBy(secure)).toBe('second');
    expect(await secure.stop()).toBe(0);
  });
});
