import { describe, expect, test } from 'vitest';
import { report } from '../../reliability/figures.ts';
import { size } from '../../kit/sizes.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';
import { sharedBackends } from '../backends.ts';
import { killWorkers } from './kill-workers.mjs';

const SIZES: Readonly<Record<string, number>> = {
  Redis: Number(process.env['TASKS'] ?? size(1000, 1500)),
  PostgreSQL: size(60, 300),
};

describe.each(sharedBackends)('$name', ({ name, open }) => {
  test(
    'no task is lost when two of four workers are killed every second',
    async () => {
      const tasks = SIZES[name]!;
      const killed = await killWorkers({ store: await open(), tasks, folder: temporaryFolder('ledger') });
      report(`killed-${name.toLowerCase()}`, {
        tasks,
        'processes killed': killed.kills,
        'lost tasks': killed.lost,
        'wrong results': killed.wrong,
        'runs in the ledger': killed.runs,
        duplicates: killed.duplicates,
        seconds: Math.round(killed.seconds),
      });
      expect(killed).toMatchObject({ lost: 0, wrong: 0, never: 0 });
      expect(killed.kills).toBeGreaterThan(0);
    },
    size(180_000, 1_800_000),
  );
});
