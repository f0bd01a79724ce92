import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { keys } from '../apps/access.ts';
import { builtModule } from '../kit/built.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';
import { startWebServer, webServers, whyNoServers, type RunningServer } from '../wires/web-server.ts';

const APP = 'test/apps/access.ts';

const why = whyNoServers();
const isSkipped = why !== undefined && process.env['CI'] !== 'true';
if (why !== undefined) console.error(`NOT TESTED: access behind web servers (${why})`);

describe.skipIf(isSkipped).each(webServers)('behind %s', (server) => {
  let running: Promise<RunningServer> | undefined;
  const started = () => (running ??= builtModule(APP).then((file) => startWebServer(server, { 'access.mjs': file })));
  afterAll(async () => (await running)?.stop());

  const ask = async (path: string, headers: Record<string, string> = {}) =>
    fetch(`${(await started()).url}/access.mjs${path}`, { headers });

  it(proves('access.cgi', 'with the configuration of the documentation, tokens and keys arrive'), async () => {
    const response = await ask('/Read?id=1', { authorization: `Bearer ${keys.reader}` });
    expect([response.status, await response.text()]).toEqual([200, '{"result":"1"}']);
    expect((await ask('/Read?id=1', { 'x-api-key': keys.reader })).status).toBe(200);
    expect((await ask('/Read?id=1', { authorization: `Bearer ${keys.nobody}` })).status).toBe(403);
    const who = await (await ask('/WhoAmI', { authorization: `Bearer ${keys.reader}` })).text();
    expect(who).toContain('"id":"reader","kind":"key","address":"127.0.0.1"');
    expect(who).toContain('"variables":[]');
  });

  it(proves('access.cgi', 'a header is not a user'), async () => {
    const headers = { 'remote-user': 'alice', remote_user: 'alice', 'x-remote-user': 'alice', 'auth-type': 'Basic' };
    expect(await (await ask('/WhoAmI', headers)).text()).toContain('"id":"anonymous"');
  });
});

describe.skipIf(isSkipped)('behind Apache with users', () => {
  let running: RunningServer | undefined;
  afterAll(() => running?.stop());

  it(proves('access.cgi', 'REMOTE_USER is who Apache has authenticated'), async () => {
    const users = join(temporaryFolder('users'), 'users');
    // alice, with the password "secret"
    writeFileSync(users, 'alice:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n', { mode: 0o644 });
    const modules = ['authn_core', 'authn_file', 'authz_user', 'auth_basic'].map(
      (name) => `LoadModule ${name}_module "/usr/lib/apache2/modules/mod_${name}.so"`,
    );
    const rules = [
      '<Location "/cgi-bin/access.mjs">',
      'AuthType Basic',
      'AuthName "users"',
      'AuthBasicProvider file',
      'AuthUserFile "/srv/calculator/cgi-bin/users.txt"',
      'Require valid-user',
      '</Location>',
    ];
    const scripts = { 'access.mjs': await builtModule(APP), 'users.txt': users };
    running = await startWebServer('apache', scripts, [...modules, ...rules].join('\n'));
    const ask = (headers: Record<string, string>) => fetch(`${running!.url}/access.mjs/WhoAmI`, { headers });
    const alice = `Basic ${Buffer.from('alice:secret').toString('base64')}`;
    expect(await (await ask({ authorization: alice })).text()).toContain('"id":"Basic/alice","kind":"user"');
    expect((await ask({ authorization: `Basic ${Buffer.from('alice:wrong').toString('base64')}` })).status).toBe(401);
    expect((await ask({})).status).toBe(401);
  });
});
