import type { JSX } from 'preact';
import type { Arguments } from './arguments.ts';

/** The arguments as JSON, and what is wrong with them. */
export function JsonEditor({ given, problem }: { readonly given: Arguments; readonly problem: string }): JSX.Element {
  const shown = problem || given.mistake.value;
  return (
    <div class="field">
      <label for="raw">Arguments as JSON</label>
      <textarea
        id="raw"
        class="code"
        rows={Math.min(24, Math.max(6, given.text.value.split('\n', 24).length + 1))}
        spellcheck={false}
        value={given.text.value}
        aria-invalid={shown !== '' || undefined}
        aria-describedby="raw-problem"
        onInput={(event) => given.setText(event.currentTarget.value)}
      />
      <p class="problem" id="raw-problem">
        {shown}
      </p>
    </div>
  );
}
