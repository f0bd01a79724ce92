import { describe, expect, it } from 'vitest';
import { createMemoryState } from '../../src/share/memory-state.ts';

function atTime() {
  let now = 0;
  return { state: createMemoryState(() => now), pass: (ms: number) => void (now += ms) };
}

describe('shared state in memory', () => {
  it('keeps the first value, for as long as it is asked for', async () => {
    const { state, pass } = atTime();
    expect(await state.add('key', 'first', 100)).toBe('first');
    pass(99);
    expect(await state.add('key', 'second', 100)).toBe('first');
    pass(99);
    expect(await state.add('key', 'second', 100)).toBe('first');
    pass(100);
    expect(await state.add('key', 'third', 100)).toBe('third');
  });

  it('keeps records: fields, claims and limits', async () => {
    const { state, pass } = atTime();
    await state.create('r', { a: '1', owner: '' }, 100);
    expect(await state.keep('r', 200, ['a', 'owner', 'none'], { owner: 'me', a: '2' })).toEqual(['1', 'me', undefined]);
    expect(await state.keep('r', 200, ['owner'], { owner: 'you' })).toEqual(['me']);
    expect(await state.put('r', 'b', '3', 3)).toBe(true);
    expect(await state.put('r', 'c', '4', 3)).toBe(false);
    expect(await state.put('r', 'b', '5', 3)).toBe(true);
    await state.remove('r', 'a');
    expect(await state.read('r')).toEqual({ owner: 'me', b: '5' });
    pass(200);
    expect(await state.keep('r', 100, ['owner'])).toBeUndefined();
    expect(await state.put('r', 'b', '5', 3)).toBe(false);
    expect(await state.read('r')).toEqual({});
    await state.create('r', { a: '1' }, 100);
    await state.delete('r');
    expect(await state.read('r')).toEqual({});
  });

  it('delivers messages to those that listen', async () => {
    const { state } = atTime();
    const heard: string[] = [];
    const forget = await state.subscribe('channel', (message) => void heard.push(message));
    await state.publish('channel', 'one');
    await state.publish('other', 'two');
    forget();
    await state.publish('channel', 'three');
    expect(heard).toEqual(['one']);
  });

  it('is limited: what would be forgotten next goes first', async () => {
    const { state } = atTime();
    await state.create('soon', { a: '1' }, 10);
    for (let i = 0; i < 10_000; i++) await state.create(`r${i}`, { a: '1' }, 1000);
    expect(await state.read('soon')).toEqual({});
    expect(await state.read('r0')).toEqual({ a: '1' });
  });
});
