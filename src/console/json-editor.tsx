import type { JSX } from 'preact';
import type { Problem } from '../schema/problem.ts';
import type { Arguments } from './arguments.ts';

/** The arguments as JSON. */
export function JsonEditor(props: { readonly given: Arguments; readonly problems: readonly Problem[] }): JSX.Element {
  const { given, problems } = props;
  const mistake = given.mistake.value;
  return (
    <div class="field">
      <label for="raw">Arguments as JSON</label>
      <textarea
        id="raw"
        class="code"
        rows={Math.min(24, Math.max(6, given.text.value.split('\n', 24).length + 1))}
        spellcheck={false}
        value={given.text.value}
        aria-invalid={mistake !== '' || problems.length > 0 || undefined}
        aria-describedby="raw-problem"
        onInput={(event) => given.setText(event.currentTarget.value)}
      />
      <p class="problem" id="raw-problem">
        {mistake}
      </p>
    </div>
  );
}
