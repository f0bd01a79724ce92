import { isRecord } from '../../schema/json-schema.ts';
import { envelopeContent } from './envelope-content.ts';
import type { EnvelopeContent } from './envelope-content.ts';
import { mcpContent } from './mcp-content.ts';
import type { McpContent } from './mcp-content.ts';

const DATA_URL = /^data:([^;,]+);base64,(.*)$/s;

/** Converts an MCP content block to an envelope item. */
export function toEnvelopeContent(block: McpContent): EnvelopeContent {
  switch (block.type) {
    case 'text':
      return envelopeContent.text(block.text);
    case 'image':
      return envelopeContent.image({ url: dataUrl(block), altText: altTextOf(block) ?? 'Image' });
    case 'audio':
      return envelopeContent.resource({
        resourceType: 'audio',
        identifier: dataUrl(block),
        name: altTextOf(block) ?? 'Audio',
        metadata: { mimeType: block.mimeType },
      });
    case 'resource_link': {
      const { type: _, uri, name, description, annotations: __, _meta, ...metadata } = block;
      return envelopeContent.resource({
        resourceType: 'url',
        identifier: uri,
        name,
        ...(description !== undefined && { description }),
        ...(Object.keys(metadata).length > 0 && { metadata }),
      });
    }
    default: {
      const { uri, ...metadata } = block.resource;
      const name = uri.split('/').findLast((part) => part !== '') ?? uri;
      return envelopeContent.resource({ resourceType: 'file', identifier: uri, name, metadata });
    }
  }
}

/** Converts an envelope item to an MCP content block. */
export function toMcpContent(item: EnvelopeContent): McpContent {
  if (item.type === 'text') return mcpContent.text(item.text);
  if (item.type === 'image') {
    const [, mimeType, data] = DATA_URL.exec(item.url) ?? [];
    const { type: _, url, altText, ...rest } = item;
    const _meta = { altText, ...rest };
    if (mimeType !== undefined && data !== undefined) return mcpContent.image(data, mimeType, { _meta });
    return mcpContent.resourceLink({ uri: toUri(url, 'file'), name: altText, _meta });
  }
  const { type: _, resourceType, identifier, name, description, metadata } = item;
  return mcpContent.resourceLink({
    uri: toUri(identifier, resourceType),
    name,
    ...(description !== undefined && { description }),
    ...(metadata && { _meta: metadata }),
  });
}

function dataUrl({ data, mimeType }: { readonly data: string; readonly mimeType: string }): string {
  return `data:${mimeType};base64,${data}`;
}

/** The alternative text in `_meta`, from an envelope or from the author. */
function altTextOf({ _meta }: McpContent): string | undefined {
  const altText = isRecord(_meta) ? _meta['altText'] : undefined;
  return typeof altText === 'string' && altText !== '' ? altText : undefined;
}

/** Adds a scheme if there is none: an instance `i-1` becomes `instance:i-1`. */
function toUri(identifier: string, scheme: string): string {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(identifier)) return identifier;
  return `${scheme.replaceAll(/[^A-Za-z0-9+.-]/g, '-').replace(/^[^A-Za-z]/, 'x')}:${encodeURI(identifier)}`;
}
