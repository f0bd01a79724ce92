import type { App } from '../../app/app.ts';
import type { Change } from '../../core/changes.ts';

/** Tells clients of other processes what has changed in this one. Returns a function for what has changed in others. */
export function shareChanges({ changes }: App, send: (change: Change) => void): (change: Change) => void {
  let isFromElsewhere = false;
  changes.listen((change) => {
    if (!isFromElsewhere) send(change);
  });
  return (change) => {
    isFromElsewhere = true;
    if (change.kind === 'resource') changes.resourceUpdated(change.uri);
    else changes.listChanged(change.kind);
    isFromElsewhere = false;
  };
}
