import { createApp, defineFunction, type App, type FunctionDefinition } from 'everywire';
import { z } from 'zod';
import { ways, type Way } from './ways.ts';

const words = { type: 'string', description: 'A word' } as const;
const input = (word: z.ZodType) => z.object({ a: word.describe('A word') });

/** The callbacks of a function that also run in child processes. */
const parts: Readonly<Record<string, (call: Way['call']) => Partial<FunctionDefinition>>> = {
  Run: (run) => ({ run }),
  Describe: (describe) => ({ describe: describe as never }),
  Refine: (call) => ({ input: input(z.string().default('x').refine(call)) }),
  Transform: (call) => ({ input: input(z.string().default('x').transform(call)) }),
  RefineResult: (call) => ({ output: z.string().refine(call).describe('A word') }),
};

const CODES = { throws: 'INTERNAL_ERROR', rejects: 'INTERNAL_ERROR', hangs: 'TIMEOUT' } as const;

/** Failing functions, each with the code it ends with. Those that return nonsense are tested in process. */
export const failing = Object.entries(parts).flatMap(([part, make]) =>
  ways.flatMap(({ kind, call, isTypical }, index) => {
    if (kind === 'nonsense') return [];
    const code = part === 'Describe' ? 'OK' : CODES[kind];
    return [{ name: `${part}${index}`, part: make(call), code, isTypical } as const];
  }),
);

export function createFailingApp(errors: 'shown' | 'masked'): App {
  const functions = failing.map(({ name, part }) =>
    defineFunction({ name, description: name, timeout: 150, output: words, run: () => 'fine', ...part } as never),
  );
  return createApp({ name: 'Callbacks', version: '1', errors, functions: functions as never });
}
