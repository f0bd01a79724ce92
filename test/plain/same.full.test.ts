import { join } from 'node:path';
import { loadApp } from 'everywire/node';
import { describe, expect, it } from 'vitest';
import { compareWires } from '../../src/proof/parity.ts';
import { openWires } from '../../src/proof/parity-wires.ts';
import { proves } from '../promises.ts';

const EVERYWIRE = 'dist/bin/everywire.js';
const moduleOf = (name: string) => join('test/plain/calculators', `${name}.ts`);
const OTHERS = ['zod', 'valibot', 'json-schema'];
const CALLS = 1000;
/** On wires that start a process for each call, 0.1 s each. */
const COSTLY_CALLS = 50;
const SEED = Number(process.env['PARITY_SEED'] ?? 18);

describe(proves('plain.same', 'the same calculator, as plain types and with schemas'), () => {
  it(`answers ${CALLS} generated calls with the same bodies, on every wire`, async () => {
    const apps = await Promise.all(
      ['calculator', ...OTHERS].map(async (name) => ({ name, app: await loadApp(moduleOf(name)) })),
    );
    const wires = await Promise.all(
      apps.map(async ({ name, app }) => {
        const opened = await openWires({
          app: app as never,
          command: [process.execPath, EVERYWIRE],
          module: moduleOf(name),
          flags: [],
          environment: {},
        });
        return opened.map((wire) => ({ ...wire, name: `${name}, ${wire.name}` }));
      }),
    );
    try {
      const { functions } = apps[0]!.app;
      const options = { functions: functions as never, wires: wires.flat(), calls: CALLS, seed: SEED };
      const found = await compareWires({ ...options, costlyCalls: COSTLY_CALLS });
      expect(found.differences, `seed ${SEED}`).toEqual([]);
      expect(found.unsteady).toEqual([]);
      expect(found.successes).toBeGreaterThan(CALLS / 5);
      expect(found.calls - found.successes).toBeGreaterThan(CALLS / 5);
    } finally {
      await Promise.all(wires.flat().map((wire) => wire.close()));
    }
  }, 600_000);
});
