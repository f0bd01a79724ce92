import type { Change, ChangeRelay } from '../core/changes.ts';
import { once } from '../core/once.ts';
import type { SharedMessage } from '../share/create-receiver.ts';
import type { AppShare } from './app-share.ts';

const CHANNEL = 'changes';

interface Announced extends SharedMessage {
  readonly change: Change;
}

/** Takes changes to the other processes of an app, and brings theirs. Each of them once. */
export function createChangeRelay(share: AppShare): ChangeRelay {
  let deliver: ((change: Change) => void) | undefined;
  const receiver = once(async () =>
    (await import('../share/create-receiver.ts')).createReceiver<Announced>({
      state: share.state,
      process: share.process,
      channels: [CHANNEL],
      onMessage: ({ change }) => deliver?.(change),
    }),
  );
  return {
    get isOn() {
      return share.isOn;
    },
    // The reason of a failure is in the log.
    send: (change) => void share.send(CHANNEL, { change }).catch(() => {}),
    async receive(listener) {
      deliver = listener;
      await (await receiver()).ready();
    },
  };
}
