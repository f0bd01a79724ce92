import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scratch } from '../measure/children.mjs';
import { packageFolder } from '../measure/everywire.mjs';
import { versionOf } from '../report/provenance.mjs';

const PEERS = [
  ['@modelcontextprotocol/server', '@modelcontextprotocol/node'],
  ['@modelcontextprotocol/sdk'],
  ['fastmcp'],
  ['tmcp', '@tmcp/adapter-zod', '@tmcp/transport-http', '@tmcp/transport-stdio', 'zod'],
  ['fastify'],
  ['hono', '@hono/node-server', '@hono/zod-validator', 'zod'],
  ['express'],
  ['@orpc/server', '@orpc/openapi', 'zod'],
  ['@trpc/server', 'zod'],
];

export const install = {
  title: 'Size of an install',
  how: () => 'Once.',
  packages: [...new Set(PEERS.flat())],

  async measure({ installs }) {
    const ours = { name: 'everywire', specs: [join(scratch, await pack())] };
    const peers = PEERS.map((names) => ({
      name: names.join(' + '),
      specs: names.map((name) => `${name}@${versionOf(name)}`),
    }));
    const folders = [ours, ...peers].slice(0, installs).map(async ({ name, specs }, i) => {
      const size = await sizeOf(join(scratch, `install-${i}`), specs);
      return { name, ...size };
    });
    return Promise.all(folders);
  },

  tables(measured) {
    const rows = measured.map(({ name, packages, bytes }) => [name, String(packages), (bytes / 2 ** 20).toFixed(1)]);
    const notes = [
      'As npm installs them into an empty folder, without optional and peer dependencies unless they are named here.',
    ];
    return [{ caption: 'What is installed', head: ['', 'packages', 'MiB'], rows, notes }];
  },
};

/** The package as it would be published; the build is the one at hand. */
async function pack() {
  const out = await npm(packageFolder, 'pack', '--ignore-scripts', '--json', '--pack-destination', scratch);
  return JSON.parse(out)[0].filename;
}

async function sizeOf(folder, specs) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const without = ['--omit=dev', '--omit=optional', '--omit=peer', '--ignore-scripts', '--no-audit', '--no-fund'];
  await npm(folder, 'install', ...without, ...specs);
  const modules = join(folder, 'node_modules');
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  const files = readdirSync(modules, { recursive: true }).map((path) => statSync(join(modules, path)));
  const bytes = files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0);
  return { packages: Object.keys(packages).length, bytes };
}

async function npm(cwd, ...args) {
  const { stdout } = await promisify(execFile)('npm', args, { cwd, timeout: 120_000 });
  return stdout;
}
