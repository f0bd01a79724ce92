import { useRef } from 'preact/hooks';
import type { FieldProps } from './field-props.ts';

interface Changes {
  /** Whether the value is not what this field has set: it was just opened, or an example, a link or the editor set it. */
  readonly isNew: boolean;
  readonly change: (value: unknown) => void;
}

type Place = Pick<FieldProps, 'value' | 'onChange' | 'isHeld'>;

/** Tells what somebody types here from what comes from elsewhere: nothing is rewritten while somebody types. */
export function useChanges({ value, onChange, isHeld }: Place): Changes {
  const last = useRef<{ readonly value: unknown } | undefined>(undefined);
  const isNew = last.current === undefined || !Object.is(last.current.value, value);
  last.current = { value };
  const change = (next: unknown) => {
    const held = next === undefined && isHeld ? null : next;
    last.current = { value: held };
    onChange(held);
  };
  return { isNew, change };
}
