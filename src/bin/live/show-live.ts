import type { Answer } from '../../app/respond.ts';
import type { Asker } from '../../core/asking.ts';
import type { Call } from '../../core/call.ts';
import type { Process } from '../process.ts';
import { untilClosed } from '../until-closed.ts';
import { ProgressBar, canDraw } from './progress-bar.ts';
import { eventView, textView } from './views.ts';
import type { Shown } from './views.ts';

export interface LiveOptions {
  /** Print the body itself, and nothing before it. */
  readonly isExact: boolean;
  /** Print events as NDJSON. */
  readonly isStream: boolean;
  /** Asks the user; the progress bar is out of its way. */
  readonly asker?: Asker | undefined;
}

/** What a call reports while it runs, and how it asks. */
export interface Live extends Pick<Call, 'onChunk' | 'onProgress' | 'onClosing' | 'onDisconnect' | 'asker'> {
  /** Shows what is waited for, until there is progress; it began so many milliseconds ago. */
  readonly onWait: (what: string, ago: number) => void;
}

/** Shows a call while it runs: what it yields, and how far it is. */
export async function showLive(
  proc: Process,
  { isExact, isStream, asker }: LiveOptions,
  work: (live: Live) => Promise<Answer>,
): Promise<Shown> {
  let leave: (() => void) | undefined;
  let closing: Promise<void> | undefined;
  const isText = !isStream && !isExact && proc.isInteractive();
  const view = isStream ? eventView(proc, () => leave?.()) : isText ? textView(proc) : undefined;
  const bar = !isStream && canDraw(proc) ? new ProgressBar(proc) : undefined;
  const answer = await work({
    onChunk: view?.chunk,
    onProgress: view?.progress ?? bar?.update,
    onClosing: (closed) => void (closing = closed),
    onDisconnect: (listener) => (leave = () => listener()),
    asker: asker && bar ? { ...asker, ask: (question) => bar.during(() => asker.ask(question)) } : asker,
    onWait: (what, ago) => bar?.wait(what, ago),
  });
  await untilClosed(closing);
  bar?.end();
  return view ? view.end(answer) : { answer, options: {} };
}
