import type {
  BlockMetadata,
  ContentBlock,
  LinkBlock,
  LinkFields,
  MediaBlock,
  ResourceBlock,
  ResourceContents,
  TextBlock,
} from '../../schema/content-blocks.ts';
import { toWireForm } from '../../schema/wire-forms.ts';
import { checkContent } from '../rules/content-rules.ts';

export type { ContentBlock as McpContent } from '../../schema/content-blocks.ts';

/** Creates MCP content blocks. Throws if a block would break the rules. */
export const mcpContent = {
  text: (text: string, metadata: BlockMetadata = {}): TextBlock => ({ type: 'text', text, ...metadata }),

  /** The data is bytes or base64. */
  image: (data: Uint8Array | string, mimeType: string, metadata: BlockMetadata = {}): MediaBlock =>
    checked({ type: 'image', data: base64(data), mimeType, ...metadata }),

  audio: (data: Uint8Array | string, mimeType: string, metadata: BlockMetadata = {}): MediaBlock =>
    checked({ type: 'audio', data: base64(data), mimeType, ...metadata }),

  /** A link that the client may fetch. */
  resourceLink: (link: LinkFields & BlockMetadata): LinkBlock => checked({ type: 'resource_link', ...link }),

  /** An embedded resource. */
  resource: (resource: ResourceContents, metadata: BlockMetadata = {}): ResourceBlock =>
    checked({ type: 'resource', resource, ...metadata }),
};

function checked<T extends ContentBlock>(block: T): T {
  return checkContent('mcp', block);
}

function base64(data: Uint8Array | string): string {
  return toWireForm(data) ?? String(data);
}
