import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ArgumentInput } from './argument-input.tsx';
import { request } from './rpc.ts';

interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
}

interface Message {
  readonly role: string;
  readonly content: { readonly type: string; readonly text?: string };
}

/** Templates for conversations, with a preview. */
export function Prompts(): JSX.Element {
  const [found, setFound] = useState<readonly Prompt[] | Error | undefined>(undefined);
  useEffect(() => {
    request<{ prompts: Prompt[] }>('prompts/list', {}).then(({ prompts }) => setFound(prompts), setFound);
  }, []);
  return (
    <section class="prompts">
      <h1>Prompts</h1>
      {!found && (
        <p class="empty" role="status">
          Loading…
        </p>
      )}
      {found instanceof Error && (
        <p class="problem" role="alert">
          {found.message}
        </p>
      )}
      {Array.isArray(found) && found.length === 0 && <p class="empty">This app has no prompts.</p>}
      <ul class="cards">
        {Array.isArray(found) && (found as readonly Prompt[]).map((one) => <Card key={one.name} prompt={one} />)}
      </ul>
    </section>
  );
}

function Card({ prompt }: { readonly prompt: Prompt }): JSX.Element {
  const { name, title, description, arguments: parameters = [] } = prompt;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [messages, setMessages] = useState<readonly Message[] | Error | undefined>(undefined);
  const preview = () =>
    request<{ messages: Message[] }>('prompts/get', { name, arguments: values }).then(
      (it) => setMessages(it.messages),
      setMessages,
    );
  return (
    <li class="card">
      <h2>{title ?? name}</h2>
      {description && <p>{description}</p>}
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          void preview();
        }}
      >
        {parameters.map((one) => (
          <ArgumentInput
            key={one.name}
            reference={{ type: 'ref/prompt', name }}
            name={one.name}
            description={one.description}
            isRequired={one.required}
            value={values[one.name] ?? ''}
            onChange={(value) => setValues({ ...values, [one.name]: value })}
          />
        ))}
        <button type="submit">Preview</button>
      </form>
      {messages instanceof Error && (
        <p class="problem" role="alert">
          {messages.message}
        </p>
      )}
      {Array.isArray(messages) &&
        (messages as readonly Message[]).map(({ role, content }, i) => (
          <div class="message" key={i}>
            <h3>{role}</h3>
            <pre class="prose">{content.text ?? JSON.stringify(content)}</pre>
          </div>
        ))}
    </li>
  );
}
