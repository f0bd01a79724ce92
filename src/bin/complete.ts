import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { loadApp } from '../hosts/load-app.ts';
import { wholeProgram } from './app-command.ts';
import { claimStdout } from './stdout.ts';
import { complain } from './terminal.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

/** `complete bash` prints the script; `complete -- <words>` is how that script asks what may come next. */
export async function complete(program: Command, args: readonly string[]): Promise<void> {
  const [shell = '', ...words] = args;
  if (shell !== '--' && !SHELLS.includes(shell)) {
    complain(`expected one of ${SHELLS.join(', ')}; for example: source <(${program.name()} complete bash)`);
    process.exitCode = 2;
    return;
  }
  const write = claimStdout();
  console.log = (text: string) => write(`${text}\n`);
  const [command, module, ...rest] = words;
  const inner = command === 'call' && module && rest.length > 0 ? await programOf(module) : undefined;
  const asked = inner ? ['complete', '--', ...rest] : ['complete', ...args];
  const completed = inner ?? program;
  tab(completed);
  await completed.parseAsync(asked, { from: 'user' });
}

/** The functions of a module, for `everywire call <module> <TAB>`; a module that does not load completes nothing. */
async function programOf(module: string): Promise<Command | undefined> {
  try {
    return wholeProgram(await loadApp(module), 'everywire');
  } catch {
    return undefined;
  }
}
