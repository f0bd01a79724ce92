import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { size } from '../kit/sizes.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const home = temporaryFolder('completion');
const apps = join(home, 'apps');
// The configuration of the user must not have an effect.
const PATH = [join(home, 'bin'), process.env['PATH']].join(delimiter);
const env = { PATH, HOME: home, ZDOTDIR: home, TERM: 'xterm', LC_ALL: 'C.UTF-8' };

const programs = { everywire: 'dist/bin/everywire.js', calculator: 'examples/calculator/calculator.mjs' };

// Values that are hard to quote in a shell, in an app that prints while it loads and keeps the process open: longer than a
// test waits, but not forever, so that a failing test leaves no process behind.
const awkward = `
import { createApp, defineFunction } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
console.log('loading');
setTimeout(() => process.exit(1), 30_000);
export default createApp({
  name: 'Awkward',
  version: '1.0.0',
  functions: [
    defineFunction({
      name: 'Book',
      description: 'Books: "a seat", it\\'s \`id\` $HOME\\nor [two]',
      input: {
        type: 'object',
        properties: {
          seat: { enum: ['12:00', 'New York', "it's", '$HOME'], description: 'A "seat": isn\\'t it?' },
          either: { type: ['string', 'number'], description: 'Either' },
          sort: { type: 'boolean', description: 'Whether to sort' },
        },
      },
      run: () => {},
    }),
    defineFunction({
      name: 'List',
      description: 'Lists',
      input: { type: 'object', properties: { sort: { enum: ['up', 'down'], description: 'How to sort' } } },
      run: () => {},
    }),
  ],
});
`;

const ASK_TIMEOUT = 20_000;

const functions = ['add', 'divide', 'div-mod', 'reset', 'statistics'];
const always = '--input --store --stream --out --json --profile --format --env --env-file --mount --help'.split(' ');
const calculator = `${root}examples/calculator/app.ts`;
const deferred = `${root}test/apps/tasks.ts`;
const grouped = `${root}test/apps/groups.ts`;

const COMMANDS =
  'init serve mcp cgi mcp-config call tasks worker openapi schema build containerize dev parity audit complete'.split(
    ' ',
  );

/** What is offered for a line, as typed so far. */
const offers: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['everywire ', COMMANDS],
  ['everywire init --mcp ', ['claude-code', 'vscode', 'cursor']],
  ['everywire init no', ['notes']],
  ['everywire init x --everywire no', ['notes']],
  ['everywire se', ['serve']],
  ['everywire tasks ', ['list', 'get', 'wait', 'result', 'answer', 'cancel', 'stats', 'dead']],
  ['everywire tasks wait ap', ['app.mjs']],
  ['everywire tasks wait app.mjs x --ca', ['--cancel-on-exit']],
  [`everywire call ${deferred} report --de`, ['--detach']],
  ['everywire complete ', ['bash', 'zsh', 'fish']],
  ['everywire openapi app.mjs --openapi-version ', ['3.1', '3.0']],
  ['everywire serve ', ['app.mjs', 'notes']],
  ['everywire serve app.mjs n', ['notes']],
  [`everywire schema ${calculator} Div`, ['Divide', 'DivMod']],
  [`everywire schema ${calculator} --j`, ['--json']],
  ['everywire call ap', ['app.mjs']],
  [`everywire call ${calculator} `, functions],
  [`everywire call ${calculator} add --`, ['--x', '--y', ...always]],
  [`everywire call ${calculator} statistics --round.mode `, ['nearest', 'down', 'up']],
  ['everywire call ~/apps/app.mjs ', ['book', 'list']],
  ['everywire call --env A=1 app.mjs li', ['list']],
  ['everywire call app.mjs book --', ['--seat', '--either', '--sort', ...always]],
  ['everywire call app.mjs book --seat ', ['12:00', 'New York', "it's", '$HOME']],
  ['everywire call app.mjs book --seat 12:', ['12:00']],
  ['everywire call app.mjs book --either ', []],
  ['everywire call app.mjs list --sort ', ['up', 'down']],
  [`everywire call ${grouped} `, ['ping', 'prices', 'orders', 'serve']],
  [`everywire call ${grouped} orders `, ['list', 'show', 'archive']],
  [`everywire call ${grouped} orders ar`, ['archive']],
  [`everywire call ${grouped} orders show AB-1 `, ['lines', 'payments']],
  [`everywire call ${grouped} orders archive list --pro`, ['--profile']],
  [`everywire call ${grouped} orders-list -n `, []],
  [`everywire call ${grouped} orders.List --state `, ['open', 'paid']],
  [`everywire call ${grouped} prices ra`, ['raise']],
  ['everywire call nothing.mjs ', []],
  ['calculator ', [...functions, 'serve', 'mcp', 'cgi', 'call', 'openapi', 'containerize', 'complete']],
  ['calculator add --', ['--x', '--y', ...always]],
  ['calculator add --x ', []],
  ['calculator add --x 1 ', ['--x', '--y', ...always]],
  ['calculator call di', ['divide', 'div-mod']],
  ['calculator call DivMod ', ['--x', '--y', ...always]],
  ['calculator statistics --round.', ['--round.digits', '--round.mode']],
  ['calculator statistics --measure ', ['mean', 'median', 'sum']],
  ['calculator statistics --measure=med', ['--measure=median']],
  ['calculator serve --mount no', ['notes']],
];

const BASH = `bash --noprofile --rcfile ${join(home, '.bashrc')} -i`;
/** The shells, and the programs that a test in each needs. */
const shells = [
  { name: 'bash', needs: ['bash', 'script'], ask: (line: string) => typed(BASH, line) },
  { name: 'zsh', needs: ['zsh', 'script'], ask: (line: string) => typed('zsh --no-globalrcs -i', line) },
  { name: 'fish', needs: ['fish'], ask: askFish },
];

// bash and zsh get a key that inserts every completion into the line. The words then show what was offered, and that each
// survives the shell's own quoting.
const bashrc = `
source ${home}/everywire.bash
source ${home}/calculator.bash
bind '"\\C-t": insert-completions'
show() { printf '<%s>\\n' "$@"; exit; }
PS1='READY '
`;
const zshrc = `
autoload -Uz compinit && compinit -C -d ${home}/.zcompdump
source ${home}/everywire.zsh
source ${home}/calculator.zsh
zle -C every-match complete-word _generic
zstyle ':completion:every-match::::' completer _all_matches _complete
zstyle ':completion:every-match:*' insert true
bindkey -e
bindkey '^T' every-match
show() { printf '<%s>\\n' "$@"; exit; }
PS1='READY '
`;

/** Types a line into an interactive shell; returns the words that completion made of the last one. */
async function typed(shell: string, line: string): Promise<string[]> {
  const terminal = spawn('script', ['-qefc', shell, '/dev/null'], { cwd: apps, env, timeout: ASK_TIMEOUT });
  let seen = '';
  let ready = false;
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen += text;
    if (ready || !seen.includes('READY ')) return;
    ready = true;
    terminal.stdin.write(`${line}\u0014\u0001show \r`);
  });
  await new Promise((resolve) => terminal.on('close', resolve));
  const words = [...seen.matchAll(/<([^<>\r\n]*)>/g)].map(([, word = '']) => word);
  expect(words[0], seen).toBe(line.split(' ')[0]);
  return words.slice(line.split(' ').length - 1);
}

async function askFish(line: string): Promise<string[]> {
  const asking = `source ${home}/everywire.fish; source ${home}/calculator.fish; complete -C $argv[1]`;
  const { stdout } = await run('fish', ['--no-config', '-c', asking, line], { cwd: apps, env, timeout: ASK_TIMEOUT });
  return stdout.split('\n').flatMap((offered) => offered.split('\t')[0] || []);
}

const isThere = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

beforeAll(async () => {
  mkdirSync(join(home, 'bin'));
  mkdirSync(join(apps, 'notes'), { recursive: true });
  writeFileSync(join(apps, 'app.mjs'), awkward);
  writeFileSync(join(home, '.bashrc'), bashrc);
  writeFileSync(join(home, '.zshrc'), zshrc);
  // What zsh finds out about its own functions takes longer than everything else it does: once is enough.
  const dumping = `autoload -Uz compinit && compinit -u -d ${home}/.zcompdump`;
  if (isThere('zsh')) await run('zsh', ['--no-rcs', '-c', dumping], { env });
  for (const [name, file] of Object.entries(programs)) {
    symlinkSync(join(root, file), join(home, 'bin', name));
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout } = await run(name, ['complete', shell], { env });
      writeFileSync(join(home, `${name}.${shell}`), stdout);
    }
  }
});

// In `npm test` one line in four in the first shell; the scripts of the others differ, and so `npm run test:full` asks all.
const asked = offers.filter((_, i) => i % size(4, 1) === 0);
for (const { name, needs, ask } of shells.slice(0, size(1, shells.length))) {
  const missing = needs.filter((command) => !isThere(command));
  const skipped = missing.length > 0 && process.env['CI'] !== 'true';
  if (skipped) console.warn(`COMPLETION IN ${name.toUpperCase()} IS NOT TESTED: install ${missing.join(' and ')}`);

  describe.skipIf(skipped)(proves('cli.completion', `completion in ${name}`), () => {
    it('can be tested', () => expect(missing, 'commands to install').toEqual([]));

    it.concurrent.for(asked)('%s', { timeout: ASK_TIMEOUT }, async ([line, offered]) => {
      const found = (await ask(line)).map((word) => word.replace(/\/$/, ''));
      expect(found.toSorted()).toEqual([...offered].sort());
    });
  });
}

it('a bash with the scripts of several programs starts without output', async () => {
  const sourcing = ['everywire', 'calculator', 'everywire'].map((name) => `source ${home}/${name}.bash`).join('\n');
  expect(await run('bash', ['--norc', '-c', sourcing], { env })).toEqual({ stdout: '', stderr: '' });
});
