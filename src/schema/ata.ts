import { Validator } from 'ata-validator';

/** The validator library, for bundlers and other runtimes; on Node it is `ata-when-needed.ts` (see package.json). */
export const ata = (): typeof Validator => Validator;
