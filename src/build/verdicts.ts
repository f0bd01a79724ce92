import { toStandaloneModule } from 'ata-validator/build';
import type { App } from '../app.ts';
import type { RegisteredFunction } from '../core/registry.ts';
import { contentSchema } from '../schema/content-blocks.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

/** Stands for schema/validator.ts in a build: what was there as it was, for schemas that are not known beforehand. */
export const LATE = 'everywire:late.js';

/**
 * A module that takes the place of schema/validator.ts, with a verdict for every schema of the app. Verdicts are found
 * by the schema's text: an app that makes its schemas anew at every start still makes the same.
 */
export function verdictsModule(app: App): string {
  const schemas = new Set(schemasOf(app).map((schema) => JSON.stringify(schema)));
  const verdicts = [...schemas].flatMap((text) => {
    const code = compileVerdict(JSON.parse(text) as JsonSchema);
    return code === undefined ? [] : [`[${JSON.stringify(text)}, () => {${code}\nreturn isValid;}]`];
  });
  return `
const made = new Map([${verdicts.join(',\n')}]);
exports.compileAccepts = (schema) => {
  const make = made.get(JSON.stringify(schema));
  return make ? make() : require(${JSON.stringify(LATE)}).compileAccepts(schema);
};`;
}

function schemasOf(app: App): JsonSchema[] {
  const all = [...app.functions, ...app.resources.functions, ...app.prompts.functions];
  return [...all.flatMap((fn) => [fn.inputSchema, ...outputsOf(fn)]), contentSchema];
}

function outputsOf({ returned }: RegisteredFunction): JsonSchema[] {
  if (returned.kind === 'none') return [];
  return returned.kind === 'one' ? [returned.schema.json] : returned.schemas.map(({ json }) => json);
}

/** The body of a function that returns `isValid`; undefined where the library must be asked at run time. */
function compileVerdict(schema: JsonSchema): string | undefined {
  const module = toStandaloneModule(schema, { format: 'esm', abortEarly: true, source: false });
  const body = module?.replace(/^export .*$/gm, '');
  return body && !/^\s*import\b/m.test(body) ? body : undefined;
}
