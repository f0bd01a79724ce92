import { realpathSync } from 'node:fs';
import type { ModuleDescription } from '../../sources/module/description.ts';
import { readRecord, writeRecord } from '../cache-record.ts';
import { areUnchanged, recordInputs } from '../input-states.ts';
import type { InputStates } from '../input-states.ts';

interface DescriptionRecord {
  readonly description: ModuleDescription;
  readonly inputs: InputStates;
}

const KIND = 'descriptions';

export interface Described {
  readonly description: ModuleDescription;
  /** The files that it was read from, for whoever keeps it elsewhere. */
  readonly inputs: readonly string[];
}

/** What is in a module. The compiler is loaded only if something that it would read has changed. */
export async function describeCached(module: string): Promise<Described> {
  const path = realpathSync(module);
  const kept = readRecord(KIND, path) as DescriptionRecord | undefined;
  if (kept && areUnchanged(kept.inputs))
    return { description: kept.description, inputs: kept.inputs.files.map(([file]) => file) };
  const began = Date.now();
  const { describeModule } = await import('../../sources/module/describe-module.ts');
  const { description, inputs, missing } = await describeModule(path);
  const states = recordInputs(inputs, missing, began);
  if (states) writeRecord(KIND, path, { description, inputs: states });
  return { description, inputs };
}
