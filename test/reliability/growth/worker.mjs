// A child process that handles requests and reports the time. It is killed if it takes too long.
import { request as httpRequest } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createFiles, memoryFolder } from 'everywire';
import { loadApp, serve } from 'everywire/node';
import { createJiti } from 'jiti';

const here = fileURLToPath(import.meta.url);
const jiti = createJiti(import.meta.url, { fsCache: false });
const { cases } = await jiti.import('./cases.ts');
const { sizeOf, toBody, toMessage } = await jiti.import('./to-message.ts');
const path = (name) => fileURLToPath(new URL(`../../apps/${name}.ts`, `file://${here}`));
const apps = { false: await loadApp(path('growth')), true: await loadApp(path('growth-audited')) };
const hosts = { false: await serve(apps.false, { port: 0 }), true: await serve(apps.true, { port: 0 }) };
const folders = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`/${'d/'.repeat(i % 10)}f${i}`, 'x']));
const files = createFiles([{ at: '/', folder: memoryFolder(folders) }]);

/** For each wire: the preparation, and the measured part, which returns the length of the response. */
const ways = {
  process({ function: fn, input }, app) {
    return async () => JSON.stringify(await app.call(fn, input, fn === 'Find' ? { files } : {}), carry).length;
  },
  fetch: (sent, app) => () => post(app, sent, 'application/json'),
  envelope: (sent, app) => () => post(app, sent, 'application/json; profile=envelope'),
  problem: (sent, app) => () => post(app, sent, 'application/problem+json'),
  status: (sent, app) => () => post(app, sent, 'application/json; profile=status'),
  http: (sent, app) => () => overSocket(hosts[app === apps.true], sent),
  'mcp-2025': (sent, app) => mcp(app, toMessage(sent, '2025-11-25')),
  'mcp-2026': (sent, app) => mcp(app, toMessage(sent, '2026-07-28')),
  'mcp-sdk': (sent, app) => mcp(app, toMessage(sent, '2026-07-28', true)),
};

const carry = (_key, value) => (value instanceof Uint8Array ? value.length : value);

const typeOf = (sent) => ('form' in sent ? 'application/x-www-form-urlencoded' : 'application/json');

async function post(app, sent, accept) {
  const response = await app.fetch(
    'path' in sent
      ? new Request(`http://localhost${sent.path}`, { headers: sent.headers ?? {} })
      : new Request(`http://localhost/functions/${sent.function}`, {
          method: 'POST',
          headers: { 'content-type': typeOf(sent), accept },
          body: toBody(sent),
        }),
  );
  return (await response.text()).length;
}

function mcp(app, { headers, body }) {
  return async () => {
    const response = await app.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }));
    return (await response.text()).length;
  };
}

function overSocket({ url }, sent) {
  const { pathname, search } = new URL(`http://localhost${sent.path ?? `/functions/${sent.function}`}`);
  const method = sent.path === undefined ? 'POST' : 'GET';
  return new Promise((resolve, reject) => {
    const headers = sent.headers ?? (sent.path === undefined ? { 'content-type': typeOf(sent) } : {});
    const asked = httpRequest(new URL(pathname + search, url), { method, headers }, (response) => {
      let length = 0;
      response.on('data', (chunk) => (length += chunk.length)).once('end', () => resolve(length));
    });
    asked.once('error', reject).end(sent.path === undefined ? toBody(sent) : undefined);
  });
}

/** CPU time of this process in milliseconds, independent of the load of the machine. */
async function timed(work) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const answer = await work();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { ms: Math.min(wall, (user + system) / 1000), answer };
}

/** The minimum of several runs; more runs if they are short, since these vary more. */
async function measure({ name, wire, n, runs }) {
  const row = cases.find((one) => one.name === name);
  const sent = row.send(n);
  const work = ways[wire](sent, apps[row.audited === true]);
  let best = await timed(work);
  for (let spent = best.ms, done = 1; done < runs && spent < 300; done++) {
    const again = await timed(work);
    spent += again.ms;
    if (again.ms < best.ms) best = again;
  }
  return { ...best, bytes: sizeOf(sent) };
}

/** A baseline for this machine: milliseconds to parse and write 1 MiB of JSON. */
function yardstick() {
  const text = JSON.stringify(Array.from({ length: 6000 }, (_, id) => ({ id, name: `name ${id}`, ok: true })));
  let least = Infinity;
  for (let i = 0; i < 20; i++) {
    const start = performance.now();
    JSON.stringify(JSON.parse(text));
    least = Math.min(least, performance.now() - start);
  }
  return (least / text.length) * 2 ** 20;
}

process.on('message', (job) => measure(job).then((result) => process.send(result)));
process.on('disconnect', () => process.exit(0));
process.send({ yardstick: yardstick() });
