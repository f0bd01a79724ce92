import type { App } from '../../app/app.ts';
import type { Call } from '../../core/call.ts';
import type { Profile } from '../../responses/profiles/profile.ts';
import { isInteractive } from '../../stdout/claim.ts';
import { untilClosed } from '../until-closed.ts';
import { ProgressBar, canDraw } from './progress-bar.ts';
import { eventView, textView } from './views.ts';
import type { Shown } from './views.ts';

interface LiveOptions {
  readonly profile: Profile;
  /** Print the body itself, and nothing before it. */
  readonly isExact: boolean;
  /** Print events as NDJSON. */
  readonly isStream: boolean;
}

/** Calls a function, and shows meanwhile what it yields and how far it is. */
export async function respondLive(app: App, call: Call, { profile, isExact, isStream }: LiveOptions): Promise<Shown> {
  let leave: (() => void) | undefined;
  let closing: Promise<void> | undefined;
  const isText = !isStream && !isExact && isInteractive();
  const view = isStream ? eventView(() => leave?.()) : isText ? textView() : undefined;
  const bar = !isStream && canDraw() ? new ProgressBar(isInteractive() ? [process.stdout] : []) : undefined;
  const { asker } = call;
  const answer = await app.respond(
    {
      ...call,
      onChunk: view?.chunk,
      onProgress: view?.progress ?? bar?.update,
      onClosing: (closed) => void (closing = closed),
      onDisconnect: (listener) => (leave = () => listener()),
      ...(asker && bar && { asker: { ...asker, ask: (question) => bar.during(() => asker.ask(question)) } }),
    },
    profile,
  );
  await untilClosed(closing);
  bar?.end();
  return view ? view.end(answer) : { answer, options: {} };
}
