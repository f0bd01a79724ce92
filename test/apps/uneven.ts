import { createApp } from 'everywire';
import { fn, object, string } from '../kit/functions.ts';

const hints = { readOnly: true };
const number = { type: 'number', description: 'Any number' } as const;

/** Answers differently from wire to wire, which no app should; for what finds such apps. */
const functions = [
  fn('Wire', { input: object({ extra: string }, []), output: string, hints }, (_, { caller }) =>
    caller.wire.startsWith('mcp') ? 'mcp' : 'other',
  ),
  fn('Count', { output: number, hints }, () => Math.random()),
  fn('Delete', { hints: { destructive: true, idempotent: true } }, () => {}),
];

export default createApp({ name: 'Uneven', version: '1.0.0', functions });
