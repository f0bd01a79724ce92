import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { check } from '../arguments.ts';
import { Field } from '../form/field.tsx';
import { initialValue } from '../form/initial.ts';
import type { Question, Reply } from '../mcp/call-tool.ts';
import type { Asked, Run } from '../run.ts';

/** What a function asks while it runs, as a form. */
export function Questions({ run }: { readonly run: Run }): JSX.Element | null {
  const asked = run.asked.value;
  const box = useRef<HTMLDivElement>(null);
  // Below a long form, the question would not be noticed.
  useEffect(() => {
    if (asked) box.current?.scrollIntoView({ block: 'nearest' });
  }, [asked]);
  return asked ? (
    <div ref={box}>
      <Round key={JSON.stringify(asked.questions)} asked={asked} />
    </div>
  ) : null;
}

/** One round of questions: all are answered together. */
export function Round({ asked }: { readonly asked: Asked }): JSX.Element {
  const questions = Object.entries(asked.questions);
  const [values, setValues] = useState<Record<string, unknown>>(() =>
    Object.fromEntries(
      questions.map(([name, question]) => [name, initialValue(schemaOf(question), schemaOf(question))]),
    ),
  );
  // Nobody is told that an answer is missing before it was given.
  const [isQuiet, setQuiet] = useState(true);
  const [isSent, setSent] = useState(false);
  const problemsOf = (name: string) => check(values[name], schemaOf(asked.questions[name])).problems;
  const reply = async (toReply: (name: string) => Reply) => {
    if (isSent) return;
    setSent(true);
    await asked.reply(Object.fromEntries(questions.map(([name]) => [name, toReply(name)])));
    setSent(false);
  };
  return (
    <form
      class="questions"
      aria-label="The function asks"
      onSubmit={(event) => {
        event.preventDefault();
        setQuiet(false);
        // A function that gets a wrong answer asks again, without a word about it.
        if (questions.some(([name]) => problemsOf(name).length > 0)) return;
        void reply((name) => ({ action: 'accept', content: values[name] ?? {} }));
      }}
    >
      {questions.map(([name, question]) => {
        const schema = schemaOf(question);
        return (
          <div key={name}>
            <h2>{question.params.message}</h2>
            <Field
              schema={schema}
              root={schema}
              value={values[name]}
              onChange={(next) => setValues({ ...values, [name]: next })}
              pointer=""
              label="Answer"
              isRequired
              problems={problemsOf(name)}
              isQuiet={isQuiet}
            />
          </div>
        );
      })}
      <div class="bar submit">
        <button type="submit" class="primary" aria-disabled={isSent}>
          {isSent ? 'Sending…' : 'Answer'}
        </button>
        <button type="button" aria-disabled={isSent} onClick={() => void reply(() => ({ action: 'decline' }))}>
          Decline
        </button>
      </div>
    </form>
  );
}

const schemaOf = (question: Question | undefined) => question?.params.requestedSchema ?? {};
