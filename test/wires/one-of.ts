import { behaviours } from '../behaviours/index.ts';
import type { Wire } from '../every-wire.ts';

const isFull = process.env['EVERYWIRE_FULL'] === '1';

/**
 * A wire that takes one behaviour of `count` in `npm test`, and all of them in `npm run test:full`: for wires that differ from
 * others in little. Wires with different `turn`s take different ones.
 */
export function oneOf(count: number, turn: number, wire: Wire): Wire {
  if (isFull) return wire;
  return {
    ...wire,
    cannot: (behaviour) =>
      behaviours.indexOf(behaviour) % count === turn ? wire.cannot?.(behaviour) : 'runs in test:full on this wire',
  };
}
