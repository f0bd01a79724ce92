import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proves } from '../promises.ts';
import { hasRedis, startRedis } from '../kit/redis.ts';
import { report } from '../reliability/figures.ts';
import { size } from '../kit/sizes.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { startServing } from '../kit/served.ts';
import { CLIENTS } from './clients.ts';
import type { Subject } from './clients.ts';
import { hasNginx, startNginx } from './nginx.ts';

interface Called {
  readonly began: number;
  readonly ended: number;
  readonly pid?: string | number;
  readonly error?: string;
}

const OF_EACH = 4;

describe.runIf(hasRedis && hasNginx)(
  'three processes behind nginx, and clients of both revisions that never pause',
  () => {
    it(
      proves('share.sessions', 'one is killed under load: only the calls that were under way in it are lost'),
      { timeout: 120_000 },
      async () => {
        const redis = await startRedis();
        onTestFinished(() => redis.stop());
        Object.assign(process.env, { EVERYWIRE_STORE: redis.url, LEDGER: join(temporaryFolder('ledger'), 'ledger') });
        const served = await Promise.all([1, 2, 3].map(() => startServing('test/share/app.ts')));
        onTestFinished(async () => void (await Promise.all(served.map((one) => one.stop()))));
        const proxy = await startNginx(served.map(({ url }) => url));
        onTestFinished(() => proxy.stop());
        const kinds = Object.values(CLIENTS).flatMap((open) => Array.from({ length: OF_EACH }, () => open));
        const clients = await Promise.all(kinds.map((open) => open(proxy.url)));
        onTestFinished(async () => void (await Promise.all(clients.map((client) => client.close()))));
        let isRunning = true;
        const called: Called[] = [];
        const load = async (client: Subject) => {
          while (isRunning) {
            const began = performance.now();
            const end = await client.call('Where').then(
              (pid) => ({ pid }),
              (thrown: unknown) => ({ error: String(thrown) }),
            );
            called.push({ began, ended: performance.now(), ...end });
          }
        };
        const loading = Promise.all(clients.map(load));
        await sleep(size(1500, 10_000));
        const [dead] = served;
        dead!.child.kill('SIGKILL');
        await once(dead!.child, 'exit');
        const diedAt = performance.now();
        await sleep(size(2500, 20_000));
        isRunning = false;
        await loading;
        const failed = called.filter(({ error }) => error !== undefined);
        report('replicas', {
          calls: called.length,
          'calls after it died': called.filter(({ began }) => began > diedAt).length,
          'calls lost': failed.length,
          clients: clients.length,
        });
        // Each client has one call under way at a time.
        expect(failed.length).toBeLessThanOrEqual(clients.length);
        expect(failed.filter(({ began }) => began > diedAt)).toEqual([]);
        expect(failed.filter(({ error }) => /session|404/i.test(error!))).toEqual([]);
        const survivors = new Set(served.slice(1).map(({ child }) => child.pid));
        const after = called.filter(({ began, pid }) => began > diedAt && pid !== undefined);
        expect(new Set(after.map(({ pid }) => pid))).toEqual(survivors);
      },
    );
  },
);
