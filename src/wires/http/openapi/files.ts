import { mapSchemas } from '../../../schema/embed.ts';
import { isFileSchema } from '../../../schema/file-form.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';

/** The bytes of a file. `format` is for OpenAPI 3.0, `contentMediaType` for 3.1; generators look for either. */
export const BINARY: JsonSchema = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };

/** The schema of a form: files are parts of their own. */
export function toFormSchema(schema: JsonSchema): JsonSchema {
  if (!isFileSchema(schema)) return mapSchemas(schema, toFormSchema);
  const { description } = schema;
  return { ...BINARY, ...(description !== undefined && { description }) };
}
