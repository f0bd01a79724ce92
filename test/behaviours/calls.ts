import type { Behaviour } from '../every-wire.ts';
import { answers, failure, internalError, invalidOutput, on, timedOut } from './rows.ts';

const [calculator, weather, portable, uploads] = [on('calculator'), on('weather'), on('portable'), on('uploads')];
const [streams, wired, rates] = [on('streams'), on('wired'), on('rates')];
const restful = on('rest');
const same = 'body.same-bytes';

const bodies: readonly Behaviour[] = [
  calculator('one value', ['body.one', same], 'Add', { given: { x: 5, y: 5 }, result: 10 }),
  calculator('several values', ['body.several', same], 'DivMod', {
    given: { x: 17, y: 5 },
    answer: answers({ result0: 3, result1: 2 }),
  }),
  calculator('no value, and no arguments', ['body.none', 'input.absent', same], 'Reset', { answer: answers({}) }),
  calculator('a failure', ['body.error', 'failure.author', same], 'Divide', {
    given: { dividend: 1, divisor: 0 },
    answer: failure('DIVISION_BY_ZERO', 422, 1)('Cannot divide by zero'),
  }),
  calculator('nested arguments, defaults and an object as result', ['body.one', same], 'Statistics', {
    given: { values: [1, 2, 4], round: { digits: 1 } },
    result: { measure: 'mean', value: 2.3, count: 3, memory: 0 },
  }),
  weather('non-ASCII strings', same, 'GetWeather', {
    given: { location: 'Tromsø' },
    result: { location: 'Tromsø', temperature: -4, conditions: 'Snow', humidity: 84, windSpeed: 5.1 },
  }),
  weather('an expected failure with a declared status', ['body.error', 'failure.author'], 'GetWeather', {
    given: { location: 'Atlantis' },
    answer: failure('LOCATION_NOT_FOUND', 404, 1)('Location not found: Atlantis'),
  }),
];

const sum = { given: { x: 1, y: 2 }, result: 3 };
const names: readonly Behaviour[] = [
  calculator('by operationId', 'name.operation-id', 'functions.Add', sum),
  calculator('by its portable name under spec', 'name.alias', 'functions_Add', sum),
  portable('by its portable name', 'name.portable', 'functions_Add', sum),
  portable('by its spec name under portable', 'name.alias', 'functions.Add', sum),
  portable('by a given operationId', 'name.operation-id', 'math.plus', sum),
  portable('by a given operationId, made portable', 'name.portable', 'math_plus', sum),
  portable('by plain name, independent of the operationId', 'name.path', 'Plus', sum),
];

const SHA256 = '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03';
const everywhere = ['file.everywhere', same] as const;
/** Files in JSON, which every wire carries. */
const files: readonly Behaviour[] = [
  uploads('a file in base64', everywhere, 'Hash', {
    given: { file: { name: '../b.txt', type: 'text/plain', data: 'aGVsbG8K' }, note: 'x' },
    result: { name: 'b.txt', type: 'text/plain', size: 6, sha256: SHA256, note: 'x' },
  }),
  uploads('a file without a name', everywhere, 'Hash', {
    given: { file: { data: 'aGVsbG8K' } },
    result: { name: '', type: '', size: 6, sha256: SHA256 },
  }),
  uploads('a file that is not base64', everywhere, 'Hash', {
    given: { file: { data: '?' } },
    problems: '/file/data: expected base64 string, got "?"',
  }),
  uploads('a file inside a result', everywhere, 'Inside', {
    given: { size: 3 },
    result: { title: 'abc', file: { name: 'a.txt', type: 'text/plain', data: 'YWFh' } },
    except: { process: 'returns a File' },
  }),
  uploads('something else than a file', everywhere, 'Text', {
    given: { text: 'x', as: 'nothing' },
    answer: invalidOutput('expected a file, got "no file"'),
  }),
];

/** What callers get that ask for no stream. */
const streamed: readonly Behaviour[] = [
  streams('a generator answers with what it returns', 'stream.same-body', 'Count', { given: { to: 4 }, result: 10 }),
  streams('and so does the same function without streaming', 'stream.same-body', 'CountAtOnce', {
    given: { to: 4 },
    result: 10,
  }),
  streams('a generator that returns nothing answers with its last chunk', 'stream.same-body', 'Words', {
    result: 'Grüße,\nWelt',
  }),
  streams('a generator may fail in the middle', 'stream.same-body', 'CountThenFail', {
    given: { to: 4 },
    answer: failure('LOST', 409, 1)('Lost count after 4'),
  }),
  streams('chunks are checked although nobody reads them', 'stream.same-body', 'CountThenLie', {
    answer: invalidOutput('expected integer, got "two"'),
  }),
];

/** Functions that depend on the app and on each other. */
const dependent: readonly Behaviour[] = [
  wired('a function returns what start returned, once', 'lifecycle.once', 'Starts', { result: 1 }),
  wired('a function returns what middleware added', 'middleware.values', 'Values', { result: { name: 'Values' } }),
  wired('a function returns what another function returned', 'context.call', 'Calls', { result: 'Inner: return' }),
  wired('a function returns the failure of another function', 'context.call', 'CallsFailing', {
    answer: failure('TEAPOT', 418, 1)('Short and stout'),
  }),
  wired('a function returns an internal error if another function throws', 'context.call', 'CallsThrowing', {
    answer: internalError('context.call: functions.Inner: Broken inside'),
  }),
  wired('a function returns the time-out of another function', 'context.call', 'CallsHanging', { answer: timedOut }),
  wired(
    'a function returns an internal error if it calls another with wrong arguments',
    'context.call',
    'CallsWrongly',
    {
      answer: internalError(
        'context.call: functions.Inner: Invalid arguments: /how: expected one of "return", "fail", "throw", "hang", got "nonsense"',
      ),
    },
  ),
];

const limited = ['rate.every-wire', 'rate.limited'] as const;
const message = 'Too many calls; try again in 1 second';
const refused = failure('RATE_LIMITED', 429, 75)(message);
const details = { per: 'function', calls: 1, seconds: 1 };
const error = { code: 'RATE_LIMITED', message, details, retry: true, retryAfter: 1 };
const counted: readonly Behaviour[] = [
  rates('a call that is counted', limited, 'Calm', { result: 1 }),
  rates('a rate limit', limited, 'Hurry', { answer: refused }),
  rates('a rate limit, with its retry hint', limited, 'Hurry', {
    profile: 'status',
    answer: { ...refused, body: JSON.stringify({ status: 'ERROR', error }) },
  }),
];

const NO_STATUS = { process: 'a call in process has no status; the test takes that of the code' } as const;
const rest: readonly Behaviour[] = [
  restful('a declared status', 'http.status', 'Create', {
    given: { name: 'a' },
    answer: { ...answers({ result: 'a' }), status: 201 },
    except: NO_STATUS,
  }),
  restful('a declared status, and a method of its own', ['http.status', 'http.methods'], 'Change', {
    given: { id: 1, name: 'a' },
    answer: { ...answers({ result: 'changed 1 a' }), status: 202 },
    except: NO_STATUS,
  }),
  restful('a failure of a function with a declared status', 'http.status', 'Create', {
    given: { name: 'none' },
    answer: failure('NOT_FOUND', 404, 1)('No such name'),
  }),
  restful('a header with two lines, also where none is sent', 'http.headers', 'Create', {
    given: { name: 'split' },
    answer: internalError('The value of the header location must be at most 4096 ASCII characters in one line'),
  }),
  restful('a header that is not declared, also where none is sent', 'http.headers', 'Create', {
    given: { name: 'undeclared' },
    answer: internalError('The header "X-Other" is not declared in http.headers'),
  }),
];

export const calls: readonly Behaviour[] = [
  ...rest,
  ...bodies,
  ...names,
  ...files,
  ...streamed,
  ...dependent,
  ...counted,
];
