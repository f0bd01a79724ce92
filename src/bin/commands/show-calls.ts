import type { App } from '../../app/app.ts';
import { callLine } from '../call-line.ts';
import type { Process } from '../process.ts';

/** A line for each call, if a person watches. */
export function showCalls(proc: Process, app: App): void {
  if (!proc.isTerminal(2)) return;
  app.events.observe((event) => {
    if (event.step === 'answered') proc.stderr.write(callLine(event));
  });
}
