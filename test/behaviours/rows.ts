import type { Answer, Behaviour } from '../every-wire.ts';
import type { PromiseId } from '../promises.ts';

/** A function of the hostile app that is called without arguments. */
export type Row = readonly [title: string, proves: PromiseId, fn: string, answer: Answer];

export const onHostile = (rows: readonly Row[], prefix: string): readonly Behaviour[] =>
  rows.map(([title, promise, fn, answer]) => ({
    title: `${prefix} ${title}`,
    proves: [promise],
    app: 'hostile',
    function: fn,
    send: {},
    answer,
  }));
