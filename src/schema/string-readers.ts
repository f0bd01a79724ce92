import { booleanFromText, numberFromText, structureFromText } from './from-text.ts';
import type { Repair } from './repair-steps.ts';

/** A string, converted to a type that the schema declares. */
export interface Read {
  readonly value: unknown;
  readonly did: Repair['did'];
}

const asNumber = (text: string): Read => ({ value: numberFromText(text), did: 'text to number' });
const asStructure: Reader = (text, structure) => ({ value: structure(text), did: 'text to JSON' });

type Reader = (text: string, structure: typeof structureFromText) => Read;

/** Converts a string, by the declared type. */
export const READERS: Record<string, Reader> = {
  integer: asNumber,
  number: asNumber,
  boolean: (text) => ({ value: booleanFromText(text), did: 'text to boolean' }),
  object: asStructure,
  array: asStructure,
};

/** Integer and number give the same result, and so do object and array. */
export const isSame = (a: Read, b: Read) => a.value === b.value || (a.did === b.did && a.did === 'text to JSON');
