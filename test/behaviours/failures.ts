import { codes } from 'everywire';
import { failure, internalError } from './answers.ts';
import { failsWith } from './fails-with.ts';
import { onHostile } from './rows.ts';
import type { Row } from './rows.ts';

const rows: readonly Row[] = [
  ['throws a string', 'failure.any-throw', 'ThrowString', internalError('a bare string')],
  ['throws null', 'failure.any-throw', 'ThrowNull', internalError('Unknown error')],
  ['throws undefined', 'failure.any-throw', 'ThrowUndefined', internalError('Unknown error')],
  ['throws a number', 'failure.any-throw', 'ThrowNumber', internalError('Unknown error')],
  ['throws a Proxy', 'failure.any-throw', 'ThrowProxy', internalError('Unknown error')],
  ['throws an error whose message throws', 'failure.any-throw', 'ThrowBadGetter', internalError('Unknown error')],
  ['throws an error with a cause', 'failure.no-leak', 'ThrowError', internalError('Something broke')],
  [
    'throws an error that names a path',
    'failure.no-leak',
    'ThrowPath',
    internalError("ENOENT: no such file or directory, open '<path>'"),
  ],
  ['throws an error with a stack in its message', 'failure.no-leak', 'ThrowStack', internalError('bad')],
  ['rejects', 'failure.any-throw', 'Reject', internalError('Later, too')],
  ['rejects with null', 'failure.any-throw', 'RejectNull', internalError('Unknown error')],
  ["throws an author's failure", 'failure.author', 'Fail', failure('OUT_OF_STOCK', 422, 1)('None left')],
  ['throws a failure of the table', 'failure.author', 'FailNotFound', failure('NOT_FOUND', 404, 1)('No such thing')],
  ['throws a failure to retry', 'failure.author', 'FailLater', failure('RATE_LIMITED', 429, 1)('Too fast')],
  ['returns a declared failure', 'failure.returned', 'FailDeclared', failure('TEAPOT', 418, 1)('Short and stout')],
  // The framework's codes, raised by an author, are results like any other.
  ...Object.entries(codes).flatMap(([code, { status, exit, mcp }]): Row[] =>
    exit === 1 && mcp === 'result'
      ? []
      : [[`throws ${code}`, 'failure.author', failsWith(code), failure(code, status, 1)('So says the author')]],
  ),
  ['takes too long', 'failure.timeout', 'Slow', failure('TIMEOUT', 504, 124)('Timed out after 50 ms')],
];

export const failures = onHostile(rows, 'a handler that');
