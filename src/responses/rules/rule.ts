import type { JsonSchema } from '../../schema/json-schema.ts';
import type { Problem } from '../../schema/problem.ts';
import type { Described, Profile, ProfileName } from '../profiles/profile.ts';
import { itemSchemas } from './content-rules.ts';

/** A rule for bodies, as data. */
export interface Rule {
  readonly id: string;
  readonly profile: ProfileName;
  /** What must hold. */
  readonly sentence: string;
  readonly reason: string;
  /** The document that the rule comes from. */
  readonly origin: string;
  /** A schema, or a function for what JSON Schema cannot express. */
  readonly holds: JsonSchema | FindProblems;
}

/** Finds violations in a body that is an object. */
export type FindProblems = (body: Readonly<Record<string, unknown>>, about: RuleContext) => readonly Problem[];

/** What rules know apart from the body. */
export interface RuleContext {
  readonly function?: Described | undefined;
  /** The profile of the body inside a tool result. Default: plain. */
  readonly inner?: Profile | undefined;
  /** For tools outside everywire. */
  readonly outputSchema?: JsonSchema | undefined;
}

/** The documents that rules come from. */
export const STANDARD = 'MCP Response Format Standards';
export const MCP = 'Model Context Protocol, 2025-11-25';
export const OURS = 'everywire';

/** If a body matches the condition, it must match `then`. */
export function when(condition: JsonSchema, then: JsonSchema): JsonSchema {
  // oxlint-disable-next-line unicorn/no-thenable -- it is JSON Schema's keyword, and nobody awaits a schema
  return { if: condition, then };
}

/** Every content item of this type must match its schema. */
export function everyItem(form: keyof typeof itemSchemas, type: string): JsonSchema {
  const schemas: Readonly<Record<string, JsonSchema>> = itemSchemas[form];
  const isOfType = { properties: { type: { const: type } }, required: ['type'] };
  return { properties: { content: { items: when(isOfType, schemas[type] ?? {}) } } };
}

/** A field that must exist. */
export function required(name: string, schema: JsonSchema): JsonSchema {
  return { properties: { [name]: schema }, required: [name] };
}

export const is = (name: string, value: unknown): JsonSchema => required(name, { const: value });

/** A field that must not exist. */
export const absent = (name: string): JsonSchema => ({ properties: { [name]: { not: {} } } });
