import { loadApp } from 'everywire/node';
import { expect, it } from 'vitest';
import { compareWires } from '../../src/proof/parity.ts';
import { openWires } from '../../src/proof/parity-wires.ts';
import { proves } from '../promises.ts';
import { size } from '../kit/sizes.ts';
import { report } from './figures.ts';

const CALLS = size(300, 5000);
const SEED = Number(process.env['PARITY_SEED'] ?? 20260728);

/** The seed also determines the registry. `npm run parity` makes more calls, with other seeds. */
it(proves('body.same-bytes', 'generated functions, generated arguments'), { timeout: 300_000 }, async () => {
  const module = 'test/apps/parity.ts';
  const app = await loadApp(module);
  const wires = await openWires({
    app: app as never,
    command: [process.execPath, 'dist/bin/everywire.js'],
    module,
    flags: [],
    environment: {},
  });
  try {
    const found = await compareWires({
      functions: app.functions as never,
      wires,
      calls: CALLS,
      seed: SEED,
      costlyCalls: size(2, 8), // each is a process
    });
    const { calls, answers, kinds, successes, differences } = found;
    const counts = { calls, wires: wires.length, answers, successes, ...kinds, differences: differences.length };
    report('parity', { ...counts, seed: String(SEED) });
    expect(differences, `seed ${SEED}`).toEqual([]);
    expect(found.unsteady).toEqual([]);
    expect(calls).toBe(CALLS);
    // Otherwise only failures would have been compared.
    expect(successes).toBeGreaterThan(CALLS / 5);
    expect(calls - successes).toBeGreaterThan(CALLS / 5);
  } finally {
    await Promise.all(wires.map((wire) => wire.close()));
  }
});
