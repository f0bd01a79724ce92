import type { FunctionComponent } from 'preact';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { Problem } from '../../schema/problem.ts';

/** One value of a form. */
export interface FieldProps {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** JSON pointer of the value in the arguments. */
  readonly pointer: string;
  readonly label: string;
  readonly isRequired: boolean;
  /** An item of a list, or a key that somebody added: it is there until it is removed, and null if it is empty. */
  readonly isHeld?: boolean;
  readonly problems: readonly Problem[];
  /** Nothing is said about it yet: a form that was just opened is not full of mistakes. */
  readonly isQuiet: boolean;
}

/** What a field inside gets from the one around it. */
export interface InnerProps extends FieldProps {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly isWrong: boolean;
  /** For fields inside. Given, since files must not import one another. */
  readonly Field: FunctionComponent<FieldProps>;
}
