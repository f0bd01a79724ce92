import type {
  Beside,
  ContentBlock,
  LinkBlock,
  LinkFacts,
  MediaBlock,
  ResourceBlock,
  ResourceContents,
  TextBlock,
} from '../../schema/content-blocks.ts';
import { formOf } from '../../schema/wire-forms.ts';
import { checkContent } from '../rules/content-rules.ts';

export type { ContentBlock as McpContent } from '../../schema/content-blocks.ts';

/** Builds the blocks of a tool's result in MCP's own form. A block that would break its rules throws. */
export const mcpContent = {
  text: (text: string, beside: Beside = {}): TextBlock => ({ type: 'text', text, ...beside }),

  /** Bytes, or base64. */
  image: (data: Uint8Array | string, mimeType: string, beside: Beside = {}): MediaBlock =>
    checked({ type: 'image', data: base64(data), mimeType, ...beside }),

  audio: (data: Uint8Array | string, mimeType: string, beside: Beside = {}): MediaBlock =>
    checked({ type: 'audio', data: base64(data), mimeType, ...beside }),

  /** Something the client may fetch. */
  resourceLink: (link: LinkFacts & Beside): LinkBlock => checked({ type: 'resource_link', ...link }),

  /** Something that comes along. */
  resource: (resource: ResourceContents, beside: Beside = {}): ResourceBlock =>
    checked({ type: 'resource', resource, ...beside }),
};

function checked<T extends ContentBlock>(block: T): T {
  return checkContent('mcp', block);
}

function base64(data: Uint8Array | string): string {
  return formOf(data) ?? String(data);
}
