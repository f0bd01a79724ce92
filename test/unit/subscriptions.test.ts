import { expect, it } from 'vitest';
import { createApp } from '../../src/app/create-app.ts';
import { Subscriptions } from '../../src/wires/mcp/sdk/subscriptions.ts';

const app = createApp({ name: 'Notes', version: '1.0.0', functions: [] });

/** Subscriptions that other processes share, and how to let each reading of them end. */
function shared(stored: readonly string[]) {
  const readings: (() => void)[] = [];
  const subscriptions = new Subscriptions(app, {
    add: async () => true,
    delete: async () => {},
    read: () => new Promise((resolve) => readings.push(() => resolve(stored))),
  });
  return { subscriptions, readings };
}

it('what changes while shared subscriptions are read is not lost', async () => {
  const { subscriptions, readings } = shared(['note://1', 'note://2']);
  const listening = subscriptions.listen();
  subscriptions.note('note://3', true);
  subscriptions.note('note://1', false);
  readings[0]!();
  await listening;
  expect(['note://1', 'note://2', 'note://3'].filter((uri) => subscriptions.has(uri))).toEqual([
    'note://2',
    'note://3',
  ]);
});

it('nor if they are read twice at once', async () => {
  const { subscriptions, readings } = shared([]);
  const first = subscriptions.listen();
  const second = subscriptions.listen();
  readings[0]!();
  await first;
  subscriptions.note('note://1', true);
  readings[1]!();
  await second;
  expect(subscriptions.has('note://1')).toBe(true);
});
