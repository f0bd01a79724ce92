import type { JSX } from 'preact';
import type { Run } from '../run.ts';

/** How far a call is, and what it has yielded. */
export function ProgressBar({ run, body }: { readonly run: Run; readonly body: string }): JSX.Element | null {
  const progress = run.progress.value;
  const { lines, skipped } = run.chunks.value;
  const isMoving = run.isRunning.value && progress !== undefined;
  const isOld = !run.isRunning.value && run.sent.value !== body;
  if (!isMoving && (lines.length === 0 || isOld)) return null;
  return (
    <section class="progress" aria-label="Progress">
      {isMoving && (
        <label>
          <progress
            {...(progress.total !== undefined && { value: progress.done, max: progress.total })}
            aria-label="Progress of the call"
          />
          <span class="tabular">
            {progress.done}
            {progress.total !== undefined && ` of ${progress.total}`} {progress.message ?? ''}
          </span>
        </label>
      )}
      {skipped > 0 && <p class="muted">{skipped} before these are not shown</p>}
      {lines.length > 0 && (
        <pre class="code chunks" tabIndex={0} aria-label="Streamed">
          {lines.join('\n')}
        </pre>
      )}
    </section>
  );
}
