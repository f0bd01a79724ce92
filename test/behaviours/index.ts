import type { Behaviour } from '../every-wire.ts';
import { badInput } from './bad-input.ts';
import { bodies } from './bodies.ts';
import { failures } from './failures.ts';
import { files } from './files.ts';
import { names } from './names.ts';
import { outputs } from './outputs.ts';
import { profiled } from './profiles.ts';
import { rates } from './rates.ts';
import { repairs } from './repairs.ts';
import { streams } from './streams.ts';
import { wired } from './wired.ts';

export const behaviours: readonly Behaviour[] = [
  ...bodies,
  ...badInput,
  ...repairs,
  ...failures,
  ...outputs,
  ...names,
  ...files,
  ...profiled,
  ...rates,
  ...streams,
  ...wired,
];
