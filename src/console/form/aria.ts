import type { InnerProps } from './field-props.ts';

/** What every input says about itself. */
export const aria = ({ id, describedBy, isWrong, isRequired }: InnerProps) => ({
  id,
  'aria-describedby': describedBy,
  'aria-invalid': isWrong || undefined,
  'aria-required': isRequired || undefined,
});
