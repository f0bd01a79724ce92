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

/** Creates MCP content blocks. Throws if a block would break the rules. */
export const mcpContent = {
  text: (text: string, beside: Beside = {}): TextBlock => ({ type: 'text', text, ...beside }),

  /** The data is bytes or base64. */
  image: (data: Uint8Array | string, mimeType: string, beside: Beside = {}): MediaBlock =>
    checked({ type: 'image', data: base64(data), mimeType, ...beside }),

  audio: (data: Uint8Array | string, mimeType: string, beside: Beside = {}): MediaBlock =>
    checked({ type: 'audio', data: base64(data), mimeType, ...beside }),

  /** A link that the client may fetch. */
  resourceLink: (link: LinkFacts & Beside): LinkBlock => checked({ type: 'resource_link', ...link }),

  /** An embedded resource. */
  resource: (resource: ResourceContents, beside: Beside = {}): ResourceBlock =>
    checked({ type: 'resource', resource, ...beside }),
};

function checked<T extends ContentBlock>(block: T): T {
  return checkContent('mcp', block);
}

function base64(data: Uint8Array | string): string {
  return formOf(data) ?? String(data);
}
