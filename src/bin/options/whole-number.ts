import { InvalidArgumentError } from 'commander';

/** Parses an option that takes an integer of at least `least`. */
export const wholeNumber =
  (least = 0) =>
  (text: string): number => {
    if (!/^\d{1,10}$/.test(text) || Number(text) < least)
      throw new InvalidArgumentError(`expected a whole number${least > 0 ? ` of at least ${least}` : ''}`);
    return Number(text);
  };
