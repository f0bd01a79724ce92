import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { FileWatcher } from '../../src/bin/dev/file-watcher.ts';
import { stateOf } from '../../src/bin/dev/file-state.ts';

vi.mock('../../src/bin/dev/file-state.ts');
afterEach(() => vi.useRealTimers());

const settle = async () => {
  for (let i = 0; i < 20; i++) await turn();
};

it('one change is reported once, however many looks waited for a slow one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout'] });
  const stateWith = (content: string) => ({ mark: content, content: `file ${content}`, changedAt: 0 });
  let content = 'old';
  const answers: (() => void)[] = [];
  vi.mocked(stateOf).mockImplementation(async () => stateWith(content));
  const changes: (readonly string[])[] = [];
  const watcher = new FileWatcher((changed) => void changes.push(changed));
  await watcher.add(['/nowhere/a.ts']);
  const slow = stateWith('old');
  vi.mocked(stateOf).mockImplementationOnce(() => new Promise((resolve) => void answers.push(() => resolve(slow))));
  vi.advanceTimersByTime(1000); // this look takes long
  await settle();
  vi.advanceTimersByTime(3000); // and these wait for it
  content = 'new';
  answers[0]!();
  await settle();
  expect(changes).toEqual([['/nowhere/a.ts']]);
  watcher.close();
});
