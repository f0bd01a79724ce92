import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { check } from '../arguments.ts';
import { Field } from '../form/field.tsx';
import { initialValue } from '../form/initial.ts';
import type { Reply } from '../mcp/call-tool.ts';
import type { Asked, Run } from '../run.ts';

/** What a function asks while it runs, as a form. */
export function Questions({ run }: { readonly run: Run }): JSX.Element | null {
  const asked = run.asked.value;
  return asked ? (
    <Round key={JSON.stringify(asked.questions)} asked={asked} onDone={() => (run.asked.value = undefined)} />
  ) : null;
}

/** One round of questions: all are answered together. */
export function Round({ asked, onDone }: { readonly asked: Asked; readonly onDone: () => void }): JSX.Element {
  const questions = Object.entries(asked.questions);
  const [values, setValues] = useState<Record<string, unknown>>(() =>
    Object.fromEntries(
      questions.map(([name, { params }]) => [
        name,
        initialValue(params.requestedSchema ?? {}, params.requestedSchema ?? {}),
      ]),
    ),
  );
  const reply = (toReply: (name: string) => Reply) => {
    asked.reply(Object.fromEntries(questions.map(([name]) => [name, toReply(name)])));
    onDone();
  };
  return (
    <form
      class="questions"
      aria-label="The function asks"
      onSubmit={(event) => {
        event.preventDefault();
        reply((name) => ({ action: 'accept', content: values[name] ?? {} }));
      }}
    >
      {questions.map(([name, { params }]) => {
        const schema = params.requestedSchema ?? {};
        return (
          <div key={name}>
            <h2>{params.message}</h2>
            <Field
              schema={schema}
              root={schema}
              value={values[name]}
              onChange={(next) => setValues({ ...values, [name]: next })}
              pointer=""
              label="Answer"
              isRequired
              problems={check(values[name], schema).problems}
              isQuiet
            />
          </div>
        );
      })}
      <div class="bar submit">
        <button type="submit" class="primary">
          Answer
        </button>
        <button type="button" onClick={() => reply(() => ({ action: 'decline' }))}>
          Decline
        </button>
      </div>
    </form>
  );
}
