import type { Behaviour } from '../every-wire.ts';
import { badInput } from './bad-input.ts';
import { calls } from './calls.ts';
import { hostile } from './hostile.ts';
import { profiled } from './profiles.ts';
import { repairs } from './repairs.ts';

export const behaviours: readonly Behaviour[] = [...calls, ...badInput, ...repairs, ...hostile, ...profiled];
