import { InvalidArgumentError } from 'commander';

/** The value of an option that takes a number from a least one on. */
export const wholeNumber =
  (least = 0) =>
  (text: string): number => {
    if (!/^\d{1,10}$/.test(text) || Number(text) < least)
      throw new InvalidArgumentError(`expected a whole number${least > 0 ? ` from ${least} on` : ''}`);
    return Number(text);
  };
