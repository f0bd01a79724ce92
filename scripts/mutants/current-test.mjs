// Tells the mutants which test is running, unless several run at once.
import { afterEach, beforeEach } from 'vitest';
import { createSwitch } from './switch.mjs';

// Tests may hide the process from a module.
createSwitch();

const current = Symbol.for('everywire.test');
const running = new Set();

const update = () => (globalThis[current] = running.size === 1 ? [...running][0] : undefined);

beforeEach(({ task }) => {
  running.add(task.id);
  update();
});

afterEach(({ task }) => {
  running.delete(task.id);
  update();
});
