import { answers, internalError, invalidOutput } from './answers.ts';
import { onHostile } from './rows.ts';
import type { Row } from './rows.ts';

const rows: readonly Row[] = [
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
  ['text for an integer', 'output.checked', 'GiveWrongType', invalidOutput('expected integer, got "seven"')],
  ['one value for two', 'output.checked', 'GiveOneOfTwo', invalidOutput('expected a list of 2 values')],
  [
    '__proto__ as data',
    'input.prototype',
    'GiveProto',
    { body: '{"result":{"__proto__":{"x":1},"constructor":2}}', status: 200, exit: 0 },
  ],
  ['a text, while it prints to stdout', 'cli.exact', 'Print', answers({ result: 'ok' })],
];

export const outputs = onHostile(rows, 'a handler that returns');
