import { ata } from '#ata';
import type { JsonSchema } from './json-schema.ts';
import { compileSimple } from './simple.ts';

export type Accepts = (value: unknown) => boolean;

/** The one place that knows the validator library; `everywire build` puts verdicts that it compiled in its stead. */
export function compileAccepts(schema: JsonSchema): Accepts {
  return compileSimple(schema) ?? compileByLibrary(schema);
}

/**
 * Its verdict is quick; its list of errors is not used, since it grows exponentially with unions inside unions. `validate`
 * is asked rather than `isValidObject`, which accepts `{}` for `{type: 'object', required: ['a']}`.
 */
export function compileByLibrary(schema: JsonSchema): Accepts {
  const validator = new (ata())(schema, { useDefaults: false });
  return (value) => validator.validate(value).valid;
}
