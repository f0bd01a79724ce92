import { BASE64 } from './base64.ts';
import { FORM_KEYWORD } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';

/** MCP's annotations of a content block. */
interface Annotations {
  audience?: ('user' | 'assistant')[];
  /** From 0 (optional) to 1 (required). */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

/** Fields that every block may have. */
export interface BlockMetadata {
  readonly annotations?: Annotations;
  readonly _meta?: Record<string, unknown>;
}

/** Content for people and models, as MCP defines it. */
export type ContentBlock = TextBlock | MediaBlock | LinkBlock | ResourceBlock;

export interface TextBlock extends BlockMetadata {
  readonly type: 'text';
  readonly text: string;
}

export interface MediaBlock extends BlockMetadata {
  readonly type: 'image' | 'audio';
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface LinkBlock extends BlockMetadata, LinkFields {
  readonly type: 'resource_link';
}

export interface LinkFields {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
}

export interface ResourceBlock extends BlockMetadata {
  readonly type: 'resource';
  readonly resource: ResourceContents;
}

export type ResourceContents = { readonly uri: string; readonly mimeType?: string } & (
  | { readonly text: string }
  | { readonly blob: string }
);

const text: JsonSchema = { type: 'string' };
const nonEmpty: JsonSchema = { type: 'string', minLength: 1 };
const uri: JsonSchema = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9+.-]*:' };
const base64: JsonSchema = { type: 'string', contentEncoding: 'base64', pattern: BASE64 };
const media: JsonSchema = {
  properties: { data: base64, mimeType: { type: 'string', pattern: '^[^/]+/[^/]+$' } },
  required: ['data', 'mimeType'],
};

/** The schema of each type of block, without `type` itself. */
export const blockSchemas = {
  text: { properties: { text }, required: ['text'] },
  image: media,
  audio: media,
  resource_link: { properties: { uri, name: nonEmpty, mimeType: text }, required: ['uri', 'name'] },
  resource: {
    properties: {
      resource: {
        type: 'object',
        properties: { uri, mimeType: text, text, blob: base64 },
        required: ['uri'],
        anyOf: [{ required: ['text'] }, { required: ['blob'] }],
      },
    },
    required: ['resource'],
  },
} as const satisfies Record<string, JsonSchema>;

/** A union of these schemas, discriminated by `type`. */
export function blockUnion(schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    oneOf: Object.entries(schemas).map(([type, { properties, required = [] }]) => ({
      type: 'object',
      properties: { type: { const: type }, ...properties },
      required: ['type', ...required],
    })),
  };
}

/** The output schema of a function that returns content blocks instead of data. */
export const contentSchema = {
  type: 'array',
  items: blockUnion(blockSchemas),
  [FORM_KEYWORD]: 'content',
} as const;

/** Whether an output schema declares content blocks. */
export function isContent(schema: JsonSchema): boolean {
  return schema[FORM_KEYWORD] === 'content';
}
