import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The validator library, loaded for the first schema that needs it: most never do, and it is large. */
export const ata = (): typeof import('ata-validator').Validator =>
  (require('ata-validator') as typeof import('ata-validator')).Validator;
