import type { Command } from 'commander';
import type { Process } from '../process.ts';
import { withComplete } from '../program.ts';
import { offersFor } from './offers.ts';
import type { Offers } from './offers.ts';
import { SCRIPTS, SHELLS } from './scripts.ts';

/** `complete bash` prints the script for the shell; the script runs `complete -- <words>` for each completion. */
export async function complete(proc: Process, program: Command, args: readonly string[]): Promise<void> {
  const [shell = '', ...words] = args;
  const script = SCRIPTS.get(shell);
  if (shell !== '--' && !script) {
    proc.printError(`expected one of ${SHELLS.join(', ')}; for example: source <(${program.name()} complete bash)`);
    return proc.end(2);
  }
  const { write } = await proc.claimStdout('text');
  const text = script ? script(program.name()) : linesOf(await offersFor(proc, withComplete(proc, program), words));
  write(text);
  proc.end(0);
}

/** One line per offer, with a tab after the value. A line without a tab tells the script not to offer file names. */
function linesOf({ offers, files }: Offers): string {
  const lines = offers.map(([value, description]) => `${value}\t${oneLine(description)}\n`);
  return lines.join('') + (files ? '' : ':nofiles\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}
