import { isEqual } from '../../schema/engine/equal.ts';
import { structureFromText } from '../../schema/from-text.ts';

/** Whether text is only the data as JSON in one line, which is hard to read for people. */
export function isBareJson(text: string, data: unknown): boolean {
  if (typeof data !== 'object' || data === null || Object.keys(data).length === 0 || text.includes('\n')) return false;
  return isEqual(structureFromText(text), data);
}
