import type { ProfileName } from 'everywire';
import type { Answer, Behaviour, Send } from '../every-wire.ts';
import type { PromiseId } from '../promises.ts';

const MOMENT = '2026-01-02T03:04:05.678Z';

const ok = { status: 200, exit: 0 };
const notFound = { status: 404, exit: 1, code: 'INSTANCE_NOT_FOUND' };
const later = { status: 429, exit: 1, code: 'RATE_LIMITED' };
const invalid = { status: 400, exit: 2, code: 'INVALID_ARGUMENTS' };
const nowhere = { status: 404, exit: 127, code: 'FUNCTION_NOT_FOUND' };

const enveloped = (text: string, rest: object, success = true) => ({
  success,
  timestamp: MOMENT,
  content: [{ type: 'text', text }],
  ...rest,
});

const running = { id: 'i-1', status: 'running' };
const gone = { code: 'INSTANCE_NOT_FOUND', message: "Instance 'i-9' not found", details: { known: ['i-1'] } };
const list = [
  { id: 'i-1', status: 'running', cpu: 45 },
  { id: 'i-2', status: 'stopped', cpu: 0 },
];
const result = (body: object, ...words: string[]) => ({
  content: [JSON.stringify(body), ...words].map((text) => ({ type: 'text', text })),
  structuredContent: body,
  isError: false,
});
const typed = { at: '2026-01-01T00:00:00.000Z', big: '1152921504606846976', raw: 'AQL/' };

const chart = [
  { type: 'text', text: 'CPU, rising' },
  { type: 'image', data: 'AQID', mimeType: 'image/png' },
];
const link = { type: 'resource_link', uri: 'https://example.com/report', name: 'The report' };
const counted = result({ result: 2 });
const report = [
  { type: 'text', text: '2' },
  { type: 'resource', resourceType: 'url', identifier: link.uri, name: link.name },
];
const badContent = { status: 500, exit: 70, code: 'INVALID_OUTPUT' };
const tooFast = { code: 'RATE_LIMITED', message: 'Too fast', retry: true, retryAfter: 7 };
const failed = [{ type: 'text', text: JSON.stringify({ error: gone.message }) }];
const goneMeta = { 'everywire/error': { code: gone.code, details: gone.details, retry: false } };
const problem = (detail: string, code: string, more: object = {}) => ({
  type: 'about:blank',
  title: 'Not Found',
  status: 404,
  detail,
  code,
  ...more,
  retry: false,
});

type Row = readonly [ProfileName, fn: string, input: object | undefined, body: object, rest: Omit<Answer, 'body'>];

const rows: readonly Row[] = [
  ['plain', 'GetInstance', { id: 'i-1' }, { result: running }, ok],
  ['plain', 'GetInstance', { id: 'i-9' }, { error: gone.message }, notFound],
  ['envelope', 'GetInstance', { id: 'i-1' }, enveloped('id:     i-1\nstatus: running', { data: running }), ok],
  ['envelope', 'GetInstance', { id: 'i-9' }, enveloped(`Error: ${gone.message}`, { error: gone }, false), notFound],
  ['envelope', 'ListInstances', {}, enveloped('2 instances are known', { data: list }), ok],
  ['envelope', 'Split', {}, enveloped('Head:               a\nLength of the tail: 2', { data: ['a', 2] }), ok],
  ['envelope', 'Stop', undefined, enveloped('Done.', {}), ok],
  ['envelope', 'Mumble', {}, enveloped('still here', { data: 'still here' }), ok],
  ['envelope', 'When', { at: typed.at }, enveloped('In 2026', { data: typed }), ok],
  ['status', 'GetInstance', { id: 'i-1' }, { status: 'SUCCESS', data: running }, ok],
  ['status', 'GetInstance', { id: 'i-9' }, { status: 'ERROR', error: { ...gone, retry: false } }, notFound],
  ['status', 'Split', {}, { status: 'SUCCESS', data: ['a', 2] }, ok],
  ['status', 'Stop', {}, { status: 'SUCCESS' }, ok],
  ['status', 'Wait', {}, { status: 'ERROR', error: tooFast }, later],
  ['problem', 'GetInstance', { id: 'i-1' }, { result: running }, ok],
  ['problem', 'GetInstance', { id: 'i-9' }, problem(gone.message, gone.code, { details: gone.details }), notFound],
  ['problem', 'Nowhere', {}, problem('Function not found: Nowhere', 'FUNCTION_NOT_FOUND'), nowhere],
  ['mcp', 'GetInstance', { id: 'i-1' }, result({ result: running }), ok],
  ['mcp', 'ListInstances', {}, result({ result: list }, '2 instances are known'), ok],
  ['mcp', 'Split', {}, result({ result0: 'a', result1: 2 }), ok],
  ['mcp', 'Stop', {}, result({}), ok],
  ['mcp', 'GetInstance', { id: 'i-9' }, { content: failed, isError: true, _meta: goneMeta }, notFound],
  ['plain', 'Chart', {}, { result: chart }, ok],
  ['mcp', 'Chart', {}, { content: chart, isError: false }, ok],
  ['mcp', 'Report', {}, { ...counted, content: [...counted.content, link] }, ok],
  ['plain', 'Report', {}, { result: 2 }, ok],
  ['envelope', 'Report', {}, { success: true, timestamp: MOMENT, content: report, data: 2 }, ok],
  ['plain', 'BadContent', {}, { error: 'Invalid output: /0/data: expected base64 string, got "*"' }, badContent],
];

const more: Record<ProfileName, readonly PromiseId[]> = {
  plain: [],
  envelope: ['profile.describe'],
  status: [],
  problem: [],
  mcp: ['profile.describe', 'profile.content'],
};

const asked = rows.map(([profile, fn, input, body, rest]): Behaviour => ({
  title: `${profile}: ${fn}${rest.code ? ` (${rest.code})` : ''}`,
  proves: ['profile.bodies', 'body.same-bytes', ...more[profile]],
  app: 'profiles',
  function: fn,
  send: input === undefined ? {} : { arguments: input },
  profile,
  answer: { body: JSON.stringify(body), ...rest },
}));

const own = (title: string, send: Send, body: object, rest: Omit<Answer, 'body'>): Behaviour => ({
  title: `an app with the envelope as default profile: ${title}`,
  proves: ['profile.default'],
  app: 'enveloped',
  function: 'GetInstance',
  send,
  answer: { body: JSON.stringify(body), ...rest },
});

const wrong = 'Invalid arguments: /id: required, expected string';
const details = { problems: [{ pointer: '/id', message: 'required, expected string' }] };

export const profiled: readonly Behaviour[] = [
  ...asked,
  own('a success', { arguments: { id: 'i-1' } }, enveloped('id:     i-1\nstatus: running', { data: running }), ok),
  own(
    'arguments that are wrong',
    { arguments: {} },
    enveloped(`Error: ${wrong}`, { error: { code: 'INVALID_ARGUMENTS', message: wrong, details } }, false),
    invalid,
  ),
  { ...own('plain when asked for', { arguments: { id: 'i-1' } }, { result: running }, ok), profile: 'plain' },
];
