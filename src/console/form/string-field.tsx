import type { JSX } from 'preact';
import { aria } from './aria.ts';
import type { InnerProps } from './field-props.ts';

type TextInput = 'text' | 'date' | 'datetime' | 'password' | 'multiline';

/** What an input for dates can show; it is empty for anything else. */
function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) && !text.startsWith('0000') ? Date.parse(`${text}T00:00:00Z`) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

export function StringField(props: InnerProps & { readonly input: TextInput }): JSX.Element {
  const { value, onChange, isRequired, input, schema } = props;
  const text = typeof value === 'string' ? value : '';
  // An empty input is nothing, except where a string must be given and one was.
  const change = (next: string) => onChange(next === '' && !isRequired ? undefined : next);
  const shared = {
    ...aria(props),
    value: text,
    placeholder: typeof schema.default === 'string' ? schema.default : '',
    onInput: (event: Event) => change((event.currentTarget as HTMLInputElement).value),
  };
  const secret = input === 'password' ? { class: 'secret', autocomplete: 'off' as const, spellcheck: false } : {};
  if (input === 'multiline' || text.includes('\n')) return <textarea {...shared} {...secret} rows={3} />;
  if (input === 'date' && (text === '' || isDate(text))) return <input {...shared} type="date" />;
  if (input === 'datetime')
    return (
      <div class="joined">
        <input {...shared} type="text" placeholder="2026-01-01T12:00:00Z" autocomplete="off" />
        <button type="button" onClick={() => onChange(new Date().toISOString())}>
          Now
        </button>
      </div>
    );
  // An input of one line drops line breaks; with them, it becomes an area.
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.getData('text').replaceAll(/\r\n?/g, '\n') ?? '';
    if (!pasted.includes('\n')) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget as HTMLInputElement;
    change(text.slice(0, selectionStart ?? 0) + pasted + text.slice(selectionEnd ?? text.length));
  };
  if (input === 'password') return <input {...shared} onPaste={onPaste} type="password" autocomplete="new-password" />;
  return <input {...shared} onPaste={onPaste} type="text" autocomplete="off" />;
}
