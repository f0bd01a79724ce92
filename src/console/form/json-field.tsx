import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { aria } from './aria.ts';
import type { InnerProps } from './field-props.ts';
import { readJson, writeJson } from './json-text.ts';
import { useChanges } from './use-changes.ts';

/** Any JSON: where the schema allows everything, or a value is not what its field is for. */
export function JsonField(props: InnerProps): JSX.Element {
  const { value } = props;
  const { isNew, change } = useChanges(props);
  const typed = useRef('');
  if (isNew) typed.current = value === undefined ? '' : writeJson(value, 2);
  return (
    <textarea
      {...aria(props)}
      class="code"
      rows={2}
      spellcheck={false}
      placeholder={value === null ? 'null' : 'JSON'}
      value={typed.current}
      onInput={(event) => {
        typed.current = event.currentTarget.value;
        change(readJson(typed.current));
      }}
    />
  );
}
