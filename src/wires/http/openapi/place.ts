import { isRecord } from '../../../schema/json-schema.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { toItemName, toPascalCase } from './names.ts';

/** Where a type occurs in a document. Types without a name of their own are named after it. */
export interface Place {
  /** Whether callers send it or receive it. */
  readonly side: 'input' | 'output';
  /** The function, in PascalCase; empty for what no function owns. */
  readonly owner: string;
  readonly name: string;
  /** Whether the name contains that of the function. */
  readonly isOwned?: boolean;
  /** Whether this is a profile's body: the result in it is named after the function. */
  readonly isBody?: boolean;
}

/** The place of a subschema. */
export function placeOf(inner: JsonSchema, place: Place, keyword: string, key = ''): Place {
  const { isBody, ...within } = place;
  switch (keyword) {
    case 'properties':
      return (isBody && inBody(place, key)) || { ...within, isOwned: false, name: toPascalCase(key) };
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

/** The place of a result in the body of a profile; undefined for what the profile adds. */
function inBody(place: Place, key: string): Place | undefined {
  if (key === 'structuredContent') return place;
  const [, number] = /^(?:result|data)(\d*)$/.exec(key) ?? [];
  return number === undefined ? undefined : { ...place, isBody: false, name: place.name + number };
}

/** What tells a branch of a union apart: `Circle` for `{ kind: 'circle', radius }`. */
function kindOf({ properties }: JsonSchema): string {
  const constants = Object.values(properties ?? {}).map((property) => isRecord(property) && property['const']);
  const kind = constants.find((constant) => typeof constant === 'string');
  return typeof kind === 'string' ? toPascalCase(kind) : '';
}
