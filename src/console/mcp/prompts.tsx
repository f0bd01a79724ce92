import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ArgumentForm } from './argument-form.tsx';
import type { Argument } from './argument-form.tsx';
import { Each, Listed } from './listed.tsx';
import type { Loaded } from './listed.tsx';
import { request } from './rpc.ts';

interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly Argument[];
}

interface Message {
  readonly role: string;
  readonly content: { readonly type: string; readonly text?: string };
}

/** Templates for conversations, with a preview. */
export function Prompts(): JSX.Element {
  return <Listed heading="Prompts" load={loadPrompts} card={(one) => <Card key={one.name} prompt={one} />} />;
}

const loadPrompts = async () => (await request<{ prompts: Prompt[] }>('prompts/list', {})).prompts;

function Card({ prompt }: { readonly prompt: Prompt }): JSX.Element {
  const { name, title, description, arguments: parameters = [] } = prompt;
  const [messages, setMessages] = useState<Loaded<Message>>(undefined);
  const preview = (values: object) =>
    request<{ messages: Message[] }>('prompts/get', { name, arguments: values }).then(
      (it) => setMessages(it.messages),
      setMessages,
    );
  return (
    <li class="card">
      <h2>{title ?? name}</h2>
      {description && <p>{description}</p>}
      <ArgumentForm
        arguments={parameters}
        reference={{ type: 'ref/prompt', name }}
        button="Preview"
        onSubmit={(values) => void preview(values)}
      />
      <Each
        of={messages}
        show={({ role, content }, i) => (
          <div class="message" key={i}>
            <h3>{role}</h3>
            <pre class="prose">{content.text ?? JSON.stringify(content)}</pre>
          </div>
        )}
      />
    </li>
  );
}
