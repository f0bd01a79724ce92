// What a request over CGI costs: a whole process, from its start to its last byte.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const EVERYWIRE = fileURLToPath(import.meta.resolve('everywire/package.json')).replace(
  'package.json',
  'dist/bin/everywire.js',
);

const SUM = { sent: '{"x":10,"y":20}', status: '200 OK', body: '{"result":30}' };
const REFUSED = ['{"x":"a","y":1}', '{"x":1,"y":5.5}', '{"x":1}'];

/** Milliseconds of each contender, round by round. */
export async function measureStartUp(rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'everywire-bench-'));
  try {
    const contenders = {
      'node -e 0': ['-e', '0'],
      'hand-written': [here('scripts/hand-written.mjs')],
      'everywire, built': [build(folder, 'app.mjs', 'cjs'), 'cgi'],
      'everywire, built as a module': [build(folder, 'app.mjs', 'mjs'), 'cgi'],
      'everywire, source': [EVERYWIRE, 'cgi', here('scripts/app.mjs')],
      'everywire with zod, built': [build(folder, 'app-zod.ts', 'cjs'), 'cgi'],
      'everywire with zod, TypeScript source': [EVERYWIRE, 'cgi', here('scripts/app-zod.ts')],
    };
    const runs = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
    await proveAll(contenders);
    for (let round = 1; round <= rounds; round++) {
      for (const [name, args] of Object.entries(contenders)) runs[name].push({ wall: await timed(args) });
    }
    await proveAll(contenders);
    return runs;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function build(folder, name, kind) {
  const out = join(folder, name.replace(/\.\w+$/, `.built.${kind}`));
  execFileSync(process.execPath, [EVERYWIRE, 'build', here(`scripts/${name}`), '--out', out], { stdio: 'pipe' });
  return out;
}

async function proveAll(contenders) {
  for (const [name, args] of Object.entries(contenders)) {
    if (args[0] === '-e') continue;
    const check = async (sent, status, body) => {
      const answer = await request(args, sent);
      const right =
        answer.startsWith(`Status: ${status}\r\n`) && (body === undefined || answer.endsWith(`\r\n\r\n${body}`));
      if (!right) throw new Error(`${name} answered ${sent} with ${answer}`);
    };
    await check(SUM.sent, SUM.status, SUM.body);
    for (const sent of REFUSED) await check(sent, '400 Bad Request');
  }
}

async function timed(args) {
  const start = performance.now();
  await request(args, SUM.sent);
  return performance.now() - start;
}

/** With pipes, as web servers give them; what Node gives to its children are sockets. The shell costs all the same. */
async function request(args, sent) {
  const child = spawn('sh', ['-c', '"$@" 2>/dev/null | cat', 'sh', process.execPath, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      GATEWAY_INTERFACE: 'CGI/1.1',
      REQUEST_METHOD: 'POST',
      PATH_INFO: '/Add',
      CONTENT_TYPE: 'application/json',
      CONTENT_LENGTH: String(Buffer.byteLength(sent)),
    },
  });
  child.stdin.on('error', () => {}); // not everybody reads it
  child.stdin.end(sent);
  let answer = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (answer += text));
  await once(child, 'close');
  return answer;
}
