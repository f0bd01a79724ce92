import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useSignalEffect } from '@preact/signals';
import { hasSecrets } from '../schema/secrets.ts';
import { AnswerView } from './answer/answer.tsx';
import { Questions } from './answer/questions.tsx';
import { ProgressBar } from './answer/progress-bar.tsx';
import { check, createArguments } from './arguments.ts';
import type { Arguments, Verdict } from './arguments.ts';
import { Boundary } from './form/boundary.tsx';
import { Field } from './form/field.tsx';
import { takesNothing } from './form/shape.ts';
import { JsonEditor } from './json-editor.tsx';
import { remember, route, routeNow } from './route.ts';
import type { Route } from './route.ts';
import { createRun } from './run.ts';
import type { Run } from './run.ts';
import { PROFILES } from './types.ts';
import type { Catalogue, Details, Profile } from './types.ts';
import { EveryWire } from './wires/every-wire.tsx';

interface CallPanelProps {
  /** As the address names the function. */
  readonly name: string;
  readonly fn: Details;
  readonly found: Catalogue;
}

/** The form, the answer, and the same call on every wire. */
export function CallPanel({ name, fn, found }: CallPanelProps): JSX.Element {
  const [given] = useState(() => createArguments(fn.inputSchema, route.peek().query.get('input')));
  const [run] = useState(() => createRun(fn, found));
  const [isQuiet, setQuiet] = useState(given.mistake.peek() === '');
  const isRaw = route.value.query.get('json') === '1';
  const profile = PROFILES.find((one) => one === route.value.query.get('profile')) ?? found.app.profile;
  const value = given.value.value;
  const body = given.body.value;
  const mistake = given.mistake.value;
  const verdict = useMemo(() => check(value, fn.inputSchema), [value, fn]);
  useAddress(given, name, hasSecrets(fn.inputSchema));

  const callNow = (as: Profile = profile) => {
    setQuiet(false);
    // Not twice, however fast somebody presses; and not with anything else than what is shown.
    if (run.isRunning.peek() || mistake !== '') return;
    void run.start(body, as);
  };
  const set = (next: unknown) => {
    setQuiet(false);
    given.setValue(next);
  };
  const isEmpty = takesNothing(fn.inputSchema, fn.inputSchema);
  return (
    <>
      <section
        class="call"
        aria-label="Call"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          // Otherwise the form would be submitted, too.
          event.preventDefault();
          callNow();
        }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            callNow();
          }}
        >
          <div class="bar">
            <Examples fn={fn} onChoose={set} />
            {!isEmpty && (
              <div class="tabs" role="group" aria-label="How to enter arguments">
                {[false, true].map((raw) => (
                  <button
                    key={String(raw)}
                    type="button"
                    aria-pressed={isRaw === raw}
                    onClick={() => remember({ json: raw ? '1' : undefined })}
                  >
                    {raw ? 'JSON' : 'Form'}
                  </button>
                ))}
              </div>
            )}
          </div>
          {isRaw ? (
            <JsonEditor given={given} problem={isQuiet ? '' : verdict.summary} />
          ) : isEmpty ? (
            <p class="muted">It takes no arguments.</p>
          ) : (
            <Boundary says="The form cannot be shown. Enter the arguments as JSON instead.">
              <div class="root">
                <Field
                  schema={fn.inputSchema}
                  root={fn.inputSchema}
                  value={value}
                  onChange={set}
                  pointer=""
                  label="Arguments"
                  isRequired
                  problems={verdict.problems}
                  isQuiet={isQuiet}
                />
              </div>
            </Boundary>
          )}
          <div class="bar options">
            <label class="inline">
              Profile{' '}
              <select
                value={profile}
                onChange={(event) => {
                  const next = event.currentTarget.value as Profile;
                  remember({ profile: next });
                  // Asking again is free only if nothing changes.
                  if (run.answer.peek() && fn.hints?.readOnly) callNow(next);
                }}
              >
                {PROFILES.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            </label>
            {fn.task === 'allowed' && (
              <label class="inline">
                <input
                  type="checkbox"
                  checked={run.isTask.value}
                  onChange={(event) => (run.isTask.value = event.currentTarget.checked)}
                />{' '}
                As a task
              </label>
            )}
            <label class="inline">
              <input
                type="checkbox"
                checked={run.isStreamed.value}
                onChange={(event) => (run.isStreamed.value = event.currentTarget.checked)}
              />{' '}
              Show progress
            </label>
          </div>
          <div class="bar submit">
            <button type="submit" class="primary" aria-disabled={run.isRunning.value}>
              {run.isRunning.value ? 'Calling…' : 'Call'} <kbd>Ctrl ↵</kbd>
            </button>
            {!isQuiet && verdict.problems.length > 0 && (
              <Mistakes verdict={verdict} isSent={mistake === ''} isForm={!isRaw} />
            )}
            <AnswerLink run={run} body={body} />
            {run.isRunning.value && (
              <button type="button" onClick={() => run.cancel()}>
                Cancel
              </button>
            )}
          </div>
        </form>
      </section>
      <ProgressBar run={run} body={body} />
      <Questions run={run} />
      <AnswerView run={run} fn={fn} found={found} repairs={verdict.repairs} body={body} />
      <EveryWire fn={fn} found={found} body={body} />
    </>
  );
}

/**
 * How many mistakes there are, next to the button, which may be far from the fields that say which ones. A mistake that no field
 * shows, such as one in a long list, is shown here.
 */
function Mistakes(props: {
  readonly verdict: Verdict;
  readonly isSent: boolean;
  readonly isForm: boolean;
}): JSX.Element {
  const { verdict, isSent, isForm } = props;
  const box = useRef<HTMLSpanElement>(null);
  const [isComplete, setComplete] = useState(true);
  const marked = () => [
    ...box.current!.closest('form')!.querySelectorAll<HTMLElement>('.field > .problem:not(:empty)'),
  ];
  useLayoutEffect(() => {
    const pointers = new Set(marked().map((one) => one.parentElement!.dataset['pointer']));
    const isShown = ({ pointer }: { pointer: string }) =>
      [...pointers].some((one) => one !== undefined && (pointer === one || pointer.startsWith(`${one}/`)));
    setComplete(!isForm || verdict.problems.every(isShown));
  });
  const count = verdict.problems.length;
  const show = () => {
    const field = marked()[0]?.parentElement;
    field?.scrollIntoView({ block: 'center' });
    field?.querySelector<HTMLElement>('input, select, textarea, button')?.focus({ preventScroll: true });
  };
  return (
    <span ref={box} class="problem" role="status">
      {isSent ? '' : 'Not sent: '}
      {isComplete ? (
        <button type="button" class="link" onClick={show}>
          {count === 1 ? '1 mistake' : `${count} mistakes`}
        </button>
      ) : (
        verdict.summary
      )}
    </span>
  );
}

/** Leads to the answer if that is out of sight: below a long form, a call would seem to do nothing. */
function AnswerLink({ run, body }: { readonly run: Run; readonly body: string }): JSX.Element | null {
  const answer = run.answer.value;
  const isCurrent = answer !== undefined && !run.isRunning.value && run.sent.value === body;
  const [isFar, setFar] = useState(false);
  useEffect(() => {
    const shown = isCurrent && document.querySelector('.answer');
    if (!shown) return undefined;
    const observer = new IntersectionObserver((entries) => setFar(!entries.at(-1)!.isIntersecting));
    observer.observe(shown);
    return () => observer.disconnect();
  }, [answer, isCurrent]);
  if (!isCurrent || !isFar) return null;
  const code = answer instanceof Error ? answer.message : answer.code;
  return (
    <button
      type="button"
      class={`link ${code === 'OK' ? 'fine' : 'problem'}`}
      onClick={() => document.querySelector('.answer')?.scrollIntoView({ block: 'center' })}
    >
      Answer: {code}
    </button>
  );
}

/** Keeps the arguments in the address, and takes over those of a link that is followed while the function is open. */
function useAddress(given: Arguments, name: string, isSecret: boolean): void {
  const known = useRef(route.peek().query.get('input'));
  const isOpen = (at: Route) => at.view === 'functions' && at.name === name;
  useSignalEffect(() => {
    const body = given.body.value;
    // Text that is no JSON is not worth keeping. Another function may be on its way before this one is gone.
    if (given.mistake.value !== '' || !isOpen(routeNow())) return;
    known.current = body;
    // An address is kept in the history, and shared: nothing secret may be in it.
    remember({ input: isSecret ? undefined : body });
  });
  useSignalEffect(() => {
    const input = route.value.query.get('input');
    if (input === null || input === known.current || !isOpen(route.value)) return;
    known.current = input;
    given.setText(input);
  });
}

function Examples({
  fn,
  onChoose,
}: {
  readonly fn: Details;
  readonly onChoose: (input: unknown) => void;
}): JSX.Element {
  if (fn.examples.length === 0) return <span />;
  return (
    <div class="examples">
      {fn.examples.map(({ title, input }, i) => (
        <button key={i} type="button" onClick={() => onChoose(input ?? {})}>
          {title ?? (fn.examples.length === 1 ? 'Example' : `Example ${i + 1}`)}
        </button>
      ))}
    </div>
  );
}
