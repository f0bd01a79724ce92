import { structureFromText } from '../../schema/from-text.ts';
import { returnsData } from '../profiles/mcp.ts';
import { itemSchemas } from './content-rules.ts';
import { textsOf } from './content-texts.ts';
import { structureMatches } from './matches.ts';
import { MCP, absent, everyItem, is, required, when } from './rule.ts';
import type { FindProblems, Rule } from './rule.ts';
import { isEqual } from '../../schema/engine/equal.ts';

const saysStructure: FindProblems = (body) => {
  const { structuredContent } = body;
  if (structuredContent === undefined || body['isError'] === true) return [];
  const isFound = textsOf(body).some((text) => isEqual(structureFromText(text), structuredContent));
  return isFound ? [] : [{ pointer: '/content', message: 'no text is the JSON of structuredContent' }];
};

const keepsSchema: FindProblems = (body, about) =>
  body['isError'] === true || (about.function && !returnsData(about.function)) ? [] : structureMatches(body, about);

const saysError: FindProblems = (body) =>
  body['isError'] !== true || textsOf(body).some((text) => text.trim() !== '')
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
      sentence: 'Every block has a `type` that the protocol defines',
      reason: 'Clients reject a whole result because of one unknown block.',
      origin: `${MCP}: content`,
      holds: {
        properties: {
          content: { items: { type: 'object', ...required('type', { enum: Object.keys(itemSchemas.mcp) }) } },
        },
      },
    },
    {
      id: 'text-item',
      sentence: 'A text block has `text`',
      reason: 'There is nothing else to show.',
      origin: `${MCP}: text content`,
      holds: everyItem('mcp', 'text'),
    },
    {
      id: 'image-item',
      sentence: 'An image has `data` in base64 and a `mimeType`',
      reason: 'Images are sent in the result; a client needs both to show one.',
      origin: `${MCP}: image content`,
      holds: everyItem('mcp', 'image'),
    },
    {
      id: 'audio-item',
      sentence: 'An audio block has `data` in base64 and a `mimeType`',
      reason: 'Audio is sent in the result; a client needs both to play it.',
      origin: `${MCP}: audio content`,
      holds: everyItem('mcp', 'audio'),
    },
    {
      id: 'link-item',
      sentence: 'A resource link has `uri` and `name`',
      reason: 'Clients fetch the one and show the other.',
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
      reason: 'Agents check this first. If it is missing it means false, and a failure looks like a success.',
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
      sentence: '`structuredContent` matches the output schema of the tool',
      reason: 'Clients validate it and reject results that do not match.',
      origin: `${MCP}: output schema`,
      holds: keepsSchema,
    },
    {
      id: 'same-text',
      sentence: 'One text is the JSON of `structuredContent`',
      reason: 'Some clients read the text and some the structure; both must get the same.',
      origin: 'Workshop ADR 002: manual consistency',
      holds: saysStructure,
    },
    {
      id: 'no-structured-error',
      sentence: 'A failure has no `structuredContent`',
      reason: 'Clients would validate it against the output schema, and show that error instead of yours.',
      origin: 'Workshop ADR 002: error messages only appear in content',
      holds: when(is('isError', true), absent('structuredContent')),
    },
    {
      id: 'error-said',
      sentence: 'A failure says in its text what went wrong',
      reason: 'It is the only thing that a model can act on.',
      origin: 'Workshop ADR 002: error response',
      holds: saysError,
    },
  ] satisfies Omit<Rule, 'profile'>[]
).map((rule) => ({ ...rule, id: `mcp.${rule.id}`, profile: 'mcp' }));
