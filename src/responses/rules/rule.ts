import type { JsonSchema } from '../../schema/json-schema.ts';
import type { Problem } from '../../schema/problem.ts';
import type { Described, Profile, ProfileName } from '../profiles/profile.ts';
import { itemSchemas } from './content-rules.ts';

/** Something a body must keep to, as data. */
export interface Rule {
  readonly id: string;
  readonly profile: ProfileName;
  /** What must hold. */
  readonly sentence: string;
  readonly reason: string;
  /** Where it comes from. */
  readonly origin: string;
  /** A schema says it, or, where none can, some code. */
  readonly holds: JsonSchema | Finds;
}

/** What breaks the rule in a body that is an object. */
export type Finds = (body: Readonly<Record<string, unknown>>, about: About) => readonly Problem[];

/** What is known beside the body. */
export interface About {
  readonly function?: Described | undefined;
  /** Whose body a result carries; the plain one's unless said. */
  readonly inner?: Profile | undefined;
  /** Of a tool that was written by hand. */
  readonly outputSchema?: JsonSchema | undefined;
}

/** Where the rules come from. */
export const STANDARD = 'MCP Response Format Standards';
export const MCP = 'Model Context Protocol, 2025-11-25';
export const OURS = 'everywire';

/** `when` one holds, `then` the other must. */
export function when(condition: JsonSchema, then: JsonSchema): JsonSchema {
  // oxlint-disable-next-line unicorn/no-thenable -- it is JSON Schema's keyword, and nobody awaits a schema
  return { if: condition, then };
}

/** Every item of the content of this type is as it should be. */
export function everyItem(form: keyof typeof itemSchemas, type: string): JsonSchema {
  const schemas: Readonly<Record<string, JsonSchema>> = itemSchemas[form];
  const isOfType = { properties: { type: { const: type } }, required: ['type'] };
  return { properties: { content: { items: when(isOfType, schemas[type] ?? {}) } } };
}

/** A field that must be there. */
export function required(name: string, schema: JsonSchema): JsonSchema {
  return { properties: { [name]: schema }, required: [name] };
}

export const is = (name: string, value: unknown): JsonSchema => required(name, { const: value });

/** A field that must not be there. */
export const absent = (name: string): JsonSchema => ({ properties: { [name]: { not: {} } } });
