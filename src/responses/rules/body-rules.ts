import { isRecord } from '../../schema/json-schema.ts';
import { pointerTo } from '../../schema/pointer.ts';
import type { Problem } from '../../schema/problem.ts';
import { plain } from '../profiles/plain.ts';
import { dataMatches, resultsMatch } from './matches.ts';
import { OURS, absent, is, required, when } from './rule.ts';
import type { FindProblems, Rule } from './rule.ts';

const KUNIUMI = 'Kuniumi 010: bodies';
const TYPED = 'ADR-002: McpServerResponse';
const RFC = 'RFC 9457';

type Body = Readonly<Record<string, unknown>>;
const isFailure = (body: Body) => 'error' in body;
const hasProblemFields = (body: Body) => 'status' in body || 'title' in body || 'detail' in body;
const problemOnly =
  (find: FindProblems): FindProblems =>
  (body, about) =>
    hasProblemFields(body) ? find(body, about) : [];

/** Finds keys that a plain body must not have. */
const knownKeys: FindProblems = (body) => {
  if (plain.read(body)) return [];
  if (isFailure(body))
    return Object.keys(body)
      .filter((name) => name !== 'error')
      .map(extra);
  const names = Object.keys(body).filter((name) => !/^result\d*$/.test(name));
  return names.length > 0
    ? names.map(extra)
    : [{ pointer: '', message: 'several results are numbered from 0; a single one is `result`' }];
};

const extra = (name: string): Problem => ({ pointer: pointerTo('', name), message: 'not a key of this profile' });

const returns: FindProblems = (body, about) => (isFailure(body) ? [] : resultsMatch(body, about));

const RESULTS_MATCH = 'The results match the output schema of the function';

const plainRules: readonly Omit<Rule, 'profile'>[] = [
  {
    id: 'error-text',
    sentence: '`error` is a string',
    reason: 'Every client can show it.',
    origin: KUNIUMI,
    holds: { properties: { error: { type: 'string' } } },
  },
  {
    id: 'keys',
    sentence: 'The keys are `error` alone, `result` alone, `result0`, `result1` and so on, or none',
    reason: 'The keys tell which kind of response it is.',
    origin: KUNIUMI,
    holds: knownKeys,
  },
  {
    id: 'result-schema',
    sentence: RESULTS_MATCH,
    reason: 'Typed clients rely on it.',
    origin: OURS,
    holds: returns,
  },
];

const statusRules: readonly Omit<Rule, 'profile'>[] = [
  {
    id: 'status',
    sentence: '`status` is SUCCESS or ERROR',
    reason: 'It tells clients whether to expect `data` or `error`.',
    origin: `${TYPED}: simplified client logic`,
    holds: required('status', { enum: ['SUCCESS', 'ERROR'] }),
  },
  {
    id: 'error-required',
    sentence: 'An ERROR has an `error` with `code` and `message`',
    reason: 'Programs act on the code, people on the message.',
    origin: `${TYPED}: extensibility`,
    holds: when(
      is('status', 'ERROR'),
      required('error', {
        type: 'object',
        properties: { code: { type: 'string', minLength: 1 }, message: { type: 'string' } },
        required: ['code', 'message'],
      }),
    ),
  },
  {
    id: 'error-forbidden',
    sentence: 'A SUCCESS has no `error`',
    reason: 'With both, clients do not know which one to trust.',
    origin: `${TYPED}: robustness and type safety`,
    holds: when(is('status', 'SUCCESS'), absent('error')),
  },
  {
    id: 'data-forbidden',
    sentence: 'An ERROR has no `data`',
    reason: 'With both, clients do not know which one to trust.',
    origin: `${TYPED}: robustness and type safety`,
    holds: when(is('status', 'ERROR'), absent('data')),
  },
  {
    id: 'data-schema',
    sentence: '`data` matches the output schema of the function',
    reason: 'Clients deserialize it into a type without checking it.',
    origin: `${TYPED}: robustness and type safety`,
    holds: (body, about) => (body['status'] === 'SUCCESS' ? dataMatches('data', body, about) : []),
  },
];

const problemRules: readonly Omit<Rule, 'profile'>[] = [
  {
    id: 'fields',
    sentence: 'A problem has `title`, `status` and `detail` of the right types',
    reason: 'Generic clients show them. In the standard they are optional; here they are required.',
    origin: `${RFC}, section 3.1`,
    holds: problemOnly((body) =>
      [
        ['type', 'string'],
        ['title', 'string'],
        ['detail', 'string'],
        ['status', 'number'],
      ].flatMap(([name = '', type]) =>
        typeof body[name] === type || (name === 'type' && body[name] === undefined)
          ? []
          : [{ pointer: `/${name}`, message: `expected ${type}` }],
      ),
    ),
  },
  {
    id: 'status',
    sentence: '`status` is an HTTP error status',
    reason: 'It repeats the status line for readers who see only the body.',
    origin: `${RFC}, section 3.1.2`,
    holds: problemOnly(({ status }) =>
      typeof status !== 'number' || (Number.isInteger(status) && status >= 400 && status <= 599)
        ? []
        : [{ pointer: '/status', message: 'expected 400 to 599' }],
    ),
  },
  {
    id: 'code',
    sentence: 'A problem has a `code`',
    reason: 'One status stands for many codes.',
    origin: OURS,
    holds: problemOnly(({ code }) =>
      typeof code === 'string' && code !== '' ? [] : [{ pointer: '/code', message: 'required, expected string' }],
    ),
  },
  {
    id: 'success',
    sentence: 'A body that is not a problem is a plain success',
    reason: 'Successes look the same in both profiles.',
    origin: OURS,
    holds: (body, about) =>
      hasProblemFields(body) ? [] : isRecord(body) && isFailure(body) ? [extra('error')] : knownKeys(body, about),
  },
  {
    id: 'result-schema',
    sentence: RESULTS_MATCH,
    reason: 'Typed clients rely on it.',
    origin: OURS,
    holds: (body, about) => (hasProblemFields(body) ? [] : returns(body, about)),
  },
];

const of = (profile: Rule['profile'], rules: readonly Omit<Rule, 'profile'>[]): readonly Rule[] =>
  rules.map((rule) => ({ ...rule, id: `${profile}.${rule.id}`, profile }));

export const bodyRules: readonly Rule[] = [
  ...of('plain', plainRules),
  ...of('status', statusRules),
  ...of('problem', problemRules),
];
