import { codes } from 'everywire';
import { failsWith } from './fails-with.ts';
import { answers, failure, internalError, invalidOutput, onHostile, timedOut } from './rows.ts';

const notEnough = failure('NOT_ENOUGH', 409, 1);

const failures = onHostile('a handler that', [
  ['throws a declared class', 'failure.class', 'ThrowOwnClass', notEnough('Only 3 are left')],
  ['throws a subclass of a declared one', 'failure.class', 'ThrowOwnSubclass', notEnough('Nothing is left')],
  ['throws a class that is declared by name', 'failure.class', 'ThrowNamedClass', notEnough('Nothing is left')],
  ['throws a class that is not declared', 'failure.class', 'ThrowOtherClass', internalError('Another error')],
  ['throws a class of the app', 'failure.thrown', 'ThrowAppClass', failure('JAMMED', 409, 1)('Open the lid')],
  ['throws its own code', 'failure.thrown', 'ThrowOwnCode', failure('CLOSED', 423, 1)('Come back later')],
  ['throws only a code', 'failure.thrown', 'ThrowCodeAlone', failure('ODD', 422, 1)('Odd')],
  ['throws only a status', 'failure.thrown', 'ThrowStatusAlone', failure('PAYMENT_REQUIRED', 402, 1)('Pay first')],
  ['throws a known one', 'failure.thrown', 'ThrowKnownStatus', failure('UNAUTHENTICATED', 401, 1)('Who are you?')],
  ['throws a server error', 'failure.thrown', 'ThrowServerStatus', internalError('The database is down')],
  ['throws the code of one', 'failure.thrown', 'ThrowServerCode', internalError('Too slow')],
  ['throws neither', 'failure.thrown', 'ThrowNoCode', internalError('Nothing is said')],
  ['throws a status that throws', 'failure.thrown', 'ThrowOwnTrap', internalError('hidden')],
  ['throws an error of Node', 'failure.thrown', 'ThrowSystem', internalError('no such file')],
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
  ...Object.entries(codes).flatMap(([code, { status, exit, mcp }]): Parameters<typeof onHostile>[1] =>
    exit === 1 && mcp === 'result'
      ? []
      : [[`throws ${code}`, 'failure.author', failsWith(code), failure(code, status, 1)('So says the author')]],
  ),
  ['takes too long', 'failure.timeout', 'Slow', timedOut],
]);

const outputs = onHostile('a handler that returns', [
  ['NaN', 'output.carried', 'GiveNaN', invalidOutput('NaN cannot be represented in JSON')],
  ['Infinity, inside', 'output.carried', 'GiveInfinity', invalidOutput('/a/1: Infinity cannot be represented in JSON')],
  ['undefined in an array', 'output.carried', 'GiveHole', invalidOutput('/1: undefined cannot be represented in JSON')],
  ['undefined', 'output.carried', 'GiveUndefined', invalidOutput('undefined cannot be represented in JSON')],
  ['a circle', 'output.carried', 'GiveCircle', invalidOutput(`${'/self'.repeat(12)}…: nested too deeply, or circular`)],
  [
    'ten thousand nested arrays',
    'output.carried',
    'GiveDeep',
    invalidOutput(`${'/0'.repeat(30)}…: nested too deeply, or circular`),
  ],
  ['a Map', 'output.carried', 'GiveMap', invalidOutput('/m: Map cannot be represented in JSON')],
  ['a function', 'output.carried', 'GiveFunction', invalidOutput('/f: function cannot be represented in JSON')],
  ['a Proxy that throws', 'output.carried', 'GiveProxy', internalError('trap')],
  [
    'a lone surrogate',
    'output.carried',
    'GiveSurrogate',
    invalidOutput('string with a lone surrogate, which is not valid Unicode'),
  ],
  ['an invalid date', 'output.carried', 'GiveBadDate', invalidOutput('an invalid date cannot be represented in JSON')],
  ['a date', 'output.forms', 'GiveDate', answers({ result: '1970-01-01T00:00:00.000Z' })],
  ['a BigInt', 'output.forms', 'GiveBigInt', answers({ result: '12345678901234567890' })],
  ['bytes', 'output.forms', 'GiveBytes', answers({ result: 'AQL/' })],
  ['a string for an integer', 'output.checked', 'GiveWrongType', invalidOutput('expected integer, got "seven"')],
  ['one value for two', 'output.checked', 'GiveOneOfTwo', invalidOutput('expected a list of 2 values')],
  [
    '__proto__ as data',
    'input.prototype',
    'GiveProto',
    { body: '{"result":{"__proto__":{"x":1},"constructor":2}}', status: 200, exit: 0 },
  ],
  ['a string, while it prints to stdout', 'cli.exact', 'Print', answers({ result: 'ok' })],
]);

export const hostile = [...failures, ...outputs];
