import { structureFromText } from '../../schema/from-text.ts';
import { isRecord } from '../../schema/json-schema.ts';
import { returnsContent } from '../profiles/mcp.ts';
import { itemSchemas } from './content-rules.ts';
import { structureMatches } from './matches.ts';
import { MCP, absent, everyItem, is, required, when } from './rule.ts';
import type { Finds, Rule } from './rule.ts';
import { sameJson } from './same-json.ts';

const texts = (body: Readonly<Record<string, unknown>>) =>
  (Array.isArray(body['content']) ? (body['content'] as readonly unknown[]) : []).flatMap((item) =>
    isRecord(item) && typeof item['text'] === 'string' ? [item['text']] : [],
  );

const saysStructure: Finds = (body) => {
  const { structuredContent } = body;
  if (structuredContent === undefined || body['isError'] === true) return [];
  const said = texts(body).some((text) => sameJson(structureFromText(text), structuredContent));
  return said ? [] : [{ pointer: '/content', message: 'no text is the JSON of structuredContent' }];
};

const keepsSchema: Finds = (body, about) =>
  body['isError'] === true || (about.function && returnsContent(about.function)) ? [] : structureMatches(body, about);

const saysError: Finds = (body) =>
  body['isError'] !== true || texts(body).some((text) => text.trim() !== '')
    ? []
    : [{ pointer: '/content', message: 'has no text' }];

export const mcpRules: readonly Rule[] = (
  [
    {
      id: 'content',
      sentence: '`content` is a list',
      reason: 'Every revision of the protocol has it, and many clients read nothing else.',
      origin: `${MCP}: tool result`,
      holds: required('content', { type: 'array' }),
    },
    {
      id: 'item-type',
      sentence: 'Every block says its `type`, and it is one the protocol knows',
      reason: 'Clients refuse a whole result over one block they cannot tell.',
      origin: `${MCP}: content`,
      holds: {
        properties: {
          content: { items: { type: 'object', ...required('type', { enum: Object.keys(itemSchemas.mcp) }) } },
        },
      },
    },
    {
      id: 'text-item',
      sentence: 'A text has `text`',
      reason: 'It is all there is to show.',
      origin: `${MCP}: text content`,
      holds: everyItem('mcp', 'text'),
    },
    {
      id: 'image-item',
      sentence: 'An image has `data` in base64 and a `mimeType`',
      reason: 'Pictures travel in the result, so a client needs both to show one.',
      origin: `${MCP}: image content`,
      holds: everyItem('mcp', 'image'),
    },
    {
      id: 'audio-item',
      sentence: 'A sound has `data` in base64 and a `mimeType`',
      reason: 'Sounds travel in the result, so a client needs both to play one.',
      origin: `${MCP}: audio content`,
      holds: everyItem('mcp', 'audio'),
    },
    {
      id: 'link-item',
      sentence: 'A resource link has `uri` and `name`',
      reason: 'The one is fetched, the other shown.',
      origin: `${MCP}: resource links`,
      holds: everyItem('mcp', 'resource_link'),
    },
    {
      id: 'resource-item',
      sentence: 'An embedded resource has `uri`, and `text` or `blob`',
      reason: 'Otherwise nothing is embedded.',
      origin: `${MCP}: embedded resources`,
      holds: everyItem('mcp', 'resource'),
    },
    {
      id: 'is-error',
      sentence: '`isError` is true or false',
      reason: 'An agent asks this first. Left out it means false, and a failure is taken for an answer.',
      origin: 'Workshop ADR 002: isError',
      holds: required('isError', { type: 'boolean' }),
    },
    {
      id: 'structured-object',
      sentence: '`structuredContent` is an object',
      reason: 'Before 2026-07-28 nothing else is allowed, and older clients drop the result.',
      origin: `${MCP}: structured content`,
      holds: { properties: { structuredContent: { type: 'object' } } },
    },
    {
      id: 'output-schema',
      sentence: '`structuredContent` is what the tool declares to return',
      reason: 'Clients validate it, and refuse the result when it is not.',
      origin: `${MCP}: output schema`,
      holds: keepsSchema,
    },
    {
      id: 'same-text',
      sentence: 'One text is the JSON of `structuredContent`',
      reason: 'Half of the clients read the text and half the structure; both must learn the same.',
      origin: 'Workshop ADR 002: manual consistency',
      holds: saysStructure,
    },
    {
      id: 'no-structured-error',
      sentence: 'A failure has no `structuredContent`',
      reason: 'Clients would hold it to the output schema, and show that error instead of yours.',
      origin: 'Workshop ADR 002: error messages only appear in content',
      holds: when(is('isError', true), absent('structuredContent')),
    },
    {
      id: 'error-said',
      sentence: 'A failure says in its text what went wrong',
      reason: 'It is all that a model can act on.',
      origin: 'Workshop ADR 002: error response',
      holds: saysError,
    },
  ] satisfies Omit<Rule, 'profile'>[]
).map((rule) => ({ ...rule, id: `mcp.${rule.id}`, profile: 'mcp' }));
