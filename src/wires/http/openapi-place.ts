import { isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { toItemName, toPascalCase } from './openapi-names.ts';

/** Where a type occurs in a document. Types without a name of their own are named after it. */
export interface Place {
  /** Whether callers send it or receive it. */
  readonly side: 'input' | 'output';
  /** The function, in PascalCase; empty for what no function owns. */
  readonly owner: string;
  readonly name: string;
  /** Whether this is a profile's body: the result in it is named after the function. */
  readonly isBody?: boolean;
}

/** The place of a subschema. */
export function placeOf(inner: JsonSchema, place: Place, keyword: string, key?: string): Place {
  const { isBody, ...within } = place;
  switch (keyword) {
    case 'properties':
      return isBody ? inBody(place, key ?? '') : { ...within, name: toPascalCase(key ?? '') };
    case 'anyOf':
    case 'oneOf':
      return { ...within, name: kindOf(inner) + place.name };
    case 'items':
    case 'prefixItems':
    case 'contains':
    case 'additionalProperties':
    case 'patternProperties':
    case 'unevaluatedProperties':
      return { ...within, name: toItemName(place.name) };
    default:
      return within;
  }
}

function inBody(place: Place, key: string): Place {
  if (key === 'structuredContent') return place;
  const { isBody: _, ...within } = place;
  const results = /^(?:result|data)(\d*)$/.exec(key);
  return { ...within, name: results ? `${place.name}${results[1]}` : toPascalCase(key) };
}

/** What tells a branch of a union apart: `Circle` for `{ kind: 'circle', radius }`. */
function kindOf({ properties }: JsonSchema): string {
  const constants = Object.values(properties ?? {}).map((property) => isRecord(property) && property['const']);
  const kind = constants.find((constant) => typeof constant === 'string');
  return typeof kind === 'string' ? toPascalCase(kind) : '';
}
