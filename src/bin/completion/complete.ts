import type { Command } from 'commander';
import { claimStdout } from '../../stdout/claim.ts';
import { printError } from '../../stdout/stderr.ts';
import { endProcess } from '../end-process.ts';
import { withComplete } from '../program.ts';
import { offersFor } from './offers.ts';
import type { Offers } from './offers.ts';
import { SCRIPTS, SHELLS } from './scripts.ts';

/** `complete bash` prints the script for the shell; the script runs `complete -- <words>` for each completion. */
export async function complete(program: Command, args: readonly string[]): Promise<void> {
  const [shell = '', ...words] = args;
  const script = SCRIPTS.get(shell);
  if (shell !== '--' && !script) {
    printError(`expected one of ${SHELLS.join(', ')}; for example: source <(${program.name()} complete bash)`);
    return endProcess(2);
  }
  const { write } = await claimStdout('text');
  const text = script ? script(program.name()) : linesOf(await offersFor(withComplete(program), words));
  // The app that was loaded may hold timers open, and the shell waits for this process to end.
  write(text, () => process.exit(0));
}

/** One line per offer, with a tab after the value. A line without a tab tells the script not to offer file names. */
function linesOf({ offers, files }: Offers): string {
  const lines = offers.map(([value, description]) => `${value}\t${oneLine(description)}\n`);
  return lines.join('') + (files ? '' : ':nofiles\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}
