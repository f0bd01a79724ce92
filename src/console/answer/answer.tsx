import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Repair } from '../../schema/repair-steps.ts';
import type { Answer } from '../call.ts';
import { CopyButton } from '../copy.tsx';
import { bytes, milliseconds, pretty } from '../format.ts';
import { linkTo } from '../route.ts';
import type { Run } from '../run.ts';
import type { Catalogue, Details } from '../types.ts';
import { Rendered } from './rendered.tsx';

/** Characters that are shown; the rest can be downloaded. */
const LONGEST = 100_000;

interface Props {
  readonly run: Run;
  readonly fn: Details;
  readonly found: Catalogue;
  readonly repairs: readonly Repair[];
  /** The arguments that the form has now. */
  readonly body: string;
}

/** The last answer, while it is that to the arguments in the form; otherwise, a line that opens it. */
export function AnswerView(props: Props): JSX.Element | null {
  const { run, body } = props;
  const answer = run.answer.value;
  // A question takes the place of the answer before.
  if (!answer || run.asked.value) return null;
  // Keeps its height while the next one is awaited, so that nothing below it moves.
  const busy = run.isRunning.value ? 'busy' : '';
  if (!busy && run.sent.value !== body)
    return (
      <details class="old">
        <summary>Answer to other arguments: {answer instanceof Error ? answer.message : answer.code}</summary>
        {!(answer instanceof Error) && <Body answer={answer} />}
      </details>
    );
  if (answer instanceof Error)
    return (
      <section class={`answer ${busy}`} aria-label="Answer">
        <p class="problem" role="alert">
          {answer.message}
        </p>
      </section>
    );
  return <Current {...props} answer={answer} busy={busy} />;
}

interface CurrentProps extends Props {
  readonly answer: Answer;
  readonly busy: string;
}

function Current({ answer, busy, fn, found, repairs }: CurrentProps): JSX.Element {
  const row = fn.errors.find(({ code }) => code === answer.code) ?? found.codes[answer.code];
  return (
    <section class={`answer ${answer.code === 'OK' ? 'good' : 'bad'} ${busy}`} aria-label="Answer">
      <div class="bar facts" role="status">
        <span class={`badge ${answer.code === 'OK' ? 'good' : 'danger'}`}>{answer.code}</span>
        <span class="tabular">{answer.status}</span>
        <span class="tabular">{milliseconds(answer.duration)}</span>
        <span class="tabular">{bytes(answer.bytes)}</span>
        {answer.status === 202 && <a href={linkTo('tasks')}>Open the task</a>}
        {repairs.length > 0 && (
          <span class="muted">
            repaired:{' '}
            {repairs
              .slice(0, 5)
              .map(({ pointer, did }) => `${pointer || 'arguments'} (${did})`)
              .join(', ')}
          </span>
        )}
      </div>
      <Rendered body={answer.body} outputs={fn.outputs} />
      <Body answer={answer} />
      {answer.code !== 'OK' && row && (
        <dl class="facts code-row">
          <dt>When</dt>
          <dd>{row.when}</dd>
          <dt>HTTP</dt>
          <dd class="tabular">{row.status}</dd>
          <dt>MCP</dt>
          <dd class="tabular">{row.mcp}</dd>
          <dt>Exit code</dt>
          <dd class="tabular">{row.exit}</dd>
          <dt>Try again</dt>
          <dd>{row.retry ? 'may succeed later' : 'no'}</dd>
        </dl>
      )}
      <details>
        <summary>Headers</summary>
        <dl class="facts headers">
          {answer.headers.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}=`}>{value}</dd>])}
        </dl>
      </details>
    </section>
  );
}

function Body({ answer }: { readonly answer: Answer }): JSX.Element {
  const [isExact, setExact] = useState(false);
  const text = isExact ? answer.body : pretty(answer.body);
  const isCut = text.length > LONGEST;
  return (
    <div class="copyable">
      <pre class="code body" tabIndex={0} aria-label="Body">
        {isCut ? text.slice(0, LONGEST) : text}
      </pre>
      <div class="corner">
        {isCut && <span class="muted">first {bytes(LONGEST)}</span>}
        {isCut && (
          <button type="button" onClick={() => download(answer)}>
            Download
          </button>
        )}
        <button type="button" aria-pressed={isExact} onClick={() => setExact(!isExact)}>
          Exact bytes
        </button>
        <CopyButton text={answer.body} label="the body" />
      </div>
    </div>
  );
}

function download({ body, type }: Answer): void {
  const url = URL.createObjectURL(new Blob([body], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'answer.json';
  link.click();
  URL.revokeObjectURL(url);
}
