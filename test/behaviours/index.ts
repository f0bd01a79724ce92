import type { Behaviour } from '../every-wire.ts';
import { badInput } from './bad-input.ts';
import { bodies } from './bodies.ts';
import { failures } from './failures.ts';
import { names } from './names.ts';
import { outputs } from './outputs.ts';
import { profiled } from './profiles.ts';
import { rates } from './rates.ts';
import { repairs } from './repairs.ts';

export const behaviours: readonly Behaviour[] = [
  ...bodies,
  ...badInput,
  ...repairs,
  ...failures,
  ...outputs,
  ...names,
  ...profiled,
  ...rates,
];
