import type { App } from '../../app/app.ts';
import { isTerminalAt } from '../../stdout/descriptor.ts';
import { callLine } from '../call-line.ts';

/** A line for each call, if a person watches. */
export function showCalls(app: App): void {
  if (!isTerminalAt(2)) return;
  app.events.observe((event) => {
    if (event.step === 'answered') process.stderr.write(callLine(event));
  });
}
