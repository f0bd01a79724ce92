import { expect, it, vi } from 'vitest';
import { lazily } from '../../src/core/lazily.ts';

it('loads once, and tries again after a failure', async () => {
  const load = vi.fn(async () => 'loaded');
  load.mockRejectedValueOnce(new Error('EMFILE'));
  const get = lazily(load);
  const [first, second] = await Promise.allSettled([get(), get()]);
  expect([first.status, second.status, load.mock.calls.length]).toEqual(['rejected', 'rejected', 1]);
  expect(await Promise.all([get(), get(), get()])).toEqual(['loaded', 'loaded', 'loaded']);
  expect(load).toHaveBeenCalledTimes(2);
});
