import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { computed } from '../../src/console/wires/sha256.ts';

it('is SHA-256, for every length of the last block', () => {
  for (const length of [...Array.from({ length: 140 }, (_, i) => i), 65_537]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + length) % 256);
    expect(Buffer.from(computed(bytes)).toString('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
});
