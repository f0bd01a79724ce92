import { join } from 'node:path';
import { loadApp } from 'everywire/node';
import { describe, expect, it } from 'vitest';
import { compareWires } from '../../src/proof/parity.ts';
import { openWires } from '../../src/proof/parity-wires.ts';
import { proves } from '../promises.ts';
import { size } from '../kit/sizes.ts';
import { run } from '../wires/cli.ts';

const EVERYWIRE = 'dist/bin/everywire.js';
const moduleOf = (name: string) => join('test/plain/calculators', `${name}.ts`);
const OTHERS = ['zod', 'valibot', 'json-schema'];
const CALLS = 1000;
/** CGI and the command line start a process for each call. */
const WITH_PROCESSES = size(5, CALLS);
const SEED = Number(process.env['PARITY_SEED'] ?? 18);

describe(proves('plain.same', 'the same calculator, as plain types and with schemas'), () => {
  it.each(OTHERS)('has the same OpenAPI document as with %s, byte for byte', async (name) => {
    for (const flags of [[], ['--openapi-version', '3.0'], ['--profiles', 'all']]) {
      const documentOf = async (one: string) => (await run([EVERYWIRE, 'openapi', moduleOf(one), ...flags])).stdout;
      const plain = await documentOf('calculator');
      expect(plain).toContain('"/functions/Statistics"');
      expect(await documentOf(name)).toBe(plain);
    }
  });

  it('has the same list of tools, byte for byte', async () => {
    const request = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    const tools = async (name: string) => (await run([EVERYWIRE, 'mcp', moduleOf(name)], request)).stdout;
    const plain = await tools('calculator');
    expect(plain).toContain('"name":"functions.Statistics"');
    for (const name of OTHERS) expect(await tools(name)).toBe(plain);
  });

  it(
    `answers ${CALLS} generated calls with the same bodies, on every wire`,
    async () => {
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
        const found = await compareWires({ ...options, costlyCalls: WITH_PROCESSES });
        expect(found.differences, `seed ${SEED}`).toEqual([]);
        expect(found.unsteady).toEqual([]);
        expect(found.successes).toBeGreaterThan(CALLS / 5);
        expect(found.calls - found.successes).toBeGreaterThan(CALLS / 5);
      } finally {
        await Promise.all(wires.flat().map((wire) => wire.close()));
      }
    },
    size(300_000, 3_600_000),
  );
});
