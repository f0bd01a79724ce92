import { formOf } from '../../schema/wire-forms.ts';
import { checkContent } from '../rules/content-rules.ts';

/** What a block is for, as MCP says it. */
interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  /** From 0, hardly needed, to 1, needed. */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

interface Beside {
  readonly annotations?: Annotations;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export type McpContent = McpText | McpMedia | McpResourceLink | McpResource;

export interface McpText extends Beside {
  readonly type: 'text';
  readonly text: string;
}

export interface McpMedia extends Beside {
  readonly type: 'image' | 'audio';
  /** In base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface McpResourceLink extends Beside, LinkFacts {
  readonly type: 'resource_link';
}

interface LinkFacts {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
}

export interface McpResource extends Beside {
  readonly type: 'resource';
  readonly resource: ResourceContents;
}

export type ResourceContents = { readonly uri: string; readonly mimeType?: string } & (
  | { readonly text: string }
  | { readonly blob: string }
);

/** Builds the blocks of a tool's result in MCP's own form. A block that would break its rules throws. */
export const mcpContent = {
  text: (text: string, beside: Beside = {}): McpText => ({ type: 'text', text, ...beside }),

  /** Bytes, or base64. */
  image: (data: Uint8Array | string, mimeType: string, beside: Beside = {}): McpMedia =>
    checked({ type: 'image', data: base64(data), mimeType, ...beside }),

  audio: (data: Uint8Array | string, mimeType: string, beside: Beside = {}): McpMedia =>
    checked({ type: 'audio', data: base64(data), mimeType, ...beside }),

  /** Something the client may fetch. */
  resourceLink: (link: LinkFacts & Beside): McpResourceLink => checked({ type: 'resource_link', ...link }),

  /** Something that comes along. */
  resource: (resource: ResourceContents, beside: Beside = {}): McpResource =>
    checked({ type: 'resource', resource, ...beside }),
};

function checked<T extends McpContent>(block: T): T {
  return checkContent('mcp', block);
}

function base64(data: Uint8Array | string): string {
  return formOf(data) ?? String(data);
}
