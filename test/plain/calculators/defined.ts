import { createApp, type App, type FunctionDefinition, type Schema } from 'everywire';
import { add, divMod, divide, statistics } from './arithmetic.ts';

/** The schemas of the calculator, by one library. */
export interface Schemas {
  readonly integers: (x: string, y: string) => Schema;
  readonly integer: (description: string) => Schema;
  readonly numbers: Schema;
  readonly number: (description: string) => Schema;
  readonly series: Schema;
  readonly summary: Schema;
}

const overflow = { OVERFLOW: { description: 'The result was too large.' } };
const errors = { DIVISION_BY_ZERO: { description: 'The divisor was zero.' } };
const hints = { readOnly: true, idempotent: true };

/** The calculator with these schemas. It is named as the plain module is: after its file, with the version of the tests' package. */
export function calculatorWith({ integers, integer, numbers, number, series, summary }: Schemas): App {
  return createApp({
    name: 'calculator',
    version: '0.0.0',
    functions: [
      {
        name: 'Add',
        description: 'Adds two integers together',
        input: integers('First integer to add', 'Second integer to add'),
        output: integer('Sum of x and y'),
        errors: overflow,
        hints,
        run: ({ x, y }) => add(x, y),
      },
      {
        name: 'Divide',
        description: 'Divides one number by another',
        input: numbers,
        output: number('The quotient'),
        errors: { ...errors, ...overflow },
        hints,
        run: ({ dividend, divisor }) => divide(dividend, divisor),
      },
      {
        name: 'DivMod',
        description: 'Divides integers, giving the quotient and what remains',
        input: integers('The integer to divide', 'The integer to divide by; not zero'),
        outputs: [integer('Quotient'), integer('Remainder')],
        errors,
        hints,
        run: ({ x, y }) => divMod(x, y),
      },
      {
        name: 'Reset',
        description: 'Clears the memory',
        hints: { destructive: true, idempotent: true },
        run: () => {},
      },
      {
        name: 'Statistics',
        description: 'Summarises a series of numbers',
        input: series,
        output: summary,
        errors: overflow,
        hints: { readOnly: true },
        run: (input) => statistics(input),
      },
    ] satisfies FunctionDefinition[],
  }) as App;
}
