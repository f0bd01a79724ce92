import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { codes, createApp, Failure } from 'everywire';
import { failsWith } from '../behaviours/fails-with.ts';
import { fn, integer, silent, string } from '../kit/functions.ts';

const throws = (name: string, thrown: () => unknown) =>
  fn(name, {}, () => {
    throw thrown();
  });

const rejects = (name: string, thrown: () => unknown) => fn(name, {}, async () => Promise.reject(thrown() as Error));

const gives = (name: string, value: () => unknown) => fn(name, { output: { description: 'Anything' } }, value);

const trap = () => {
  throw new Error('trap');
};
const unreadable = () => new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap });

const circle = () => {
  const round: { self?: unknown } = {};
  round.self = round;
  return round;
};

const deep = () => {
  let value: unknown = 1;
  for (let i = 0; i < 10_000; i++) value = [value];
  return value;
};

class NotEnough extends Error {}
class SoldOut extends NotEnough {}
const OWN_CLASS = { errors: { NOT_ENOUGH: { description: 'Too few.', status: 409, class: NotEnough } } };

class Jammed extends Error {}
/** Says itself what it means. */
class Own extends Error {
  constructor(
    message: string,
    readonly code?: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

export default createApp({
  name: 'Hostile',
  version: '1.0.0',
  log: silent,
  thrown: {
    classes: { JAMMED: { description: 'Paper is stuck.', status: 409, class: Jammed } },
    ownCodes: [Own],
  },
  functions: [
    throws('ThrowString', () => 'a bare string'),
    throws('ThrowNull', () => null),
    throws('ThrowUndefined', () => undefined),
    throws('ThrowNumber', () => 42),
    throws('ThrowProxy', unreadable),
    throws('ThrowBadGetter', () => Object.defineProperty(new Error('hidden'), 'message', { get: trap })),
    throws('ThrowError', () => new Error('Something broke', { cause: new Error('the secret cause') })),
    throws('ThrowPath', () => new Error("ENOENT: no such file or directory, open '/srv/secret/config.json'")),
    throws(
      'ThrowStack',
      () => new Error('bad\n    at Object.run (/srv/app/index.js:10:5)\n    at next (/srv/app/x.js:1:1)'),
    ),
    rejects('Reject', () => new Error('Later, too')),
    rejects('RejectNull', () => null),
    throws('Fail', () => new Failure('OUT_OF_STOCK', 'None left', { details: { left: 0 } })),
    throws('FailNotFound', () => new Failure('NOT_FOUND', 'No such thing')),
    throws('FailLater', () => new Failure('RATE_LIMITED', 'Too fast', { retryAfter: 30 })),
    fn('ThrowOwnClass', OWN_CLASS, () => {
      throw new NotEnough('Only 3 are left');
    }),
    fn('ThrowOwnSubclass', OWN_CLASS, async () => {
      throw new SoldOut('Nothing is left');
    }),
    fn('ThrowOtherClass', OWN_CLASS, () => {
      throw new TypeError('Another error');
    }),
    fn(
      'ThrowNamedClass',
      { errors: { NOT_ENOUGH: { description: 'Too few.', status: 409, class: 'NotEnough' } } },
      () => {
        throw new SoldOut('Nothing is left');
      },
    ),
    throws('ThrowAppClass', () => new Jammed('Open the lid')),
    throws('ThrowOwnCode', () => new Own('Come back later', 'CLOSED', 423)),
    throws('ThrowCodeAlone', () => new Own('Odd', 'ODD')),
    throws('ThrowStatusAlone', () => Object.assign(new Own('Pay first'), { status: undefined, statusCode: 402 })),
    throws('ThrowKnownStatus', () => new Own('Who are you?', 'lower-case', 401)),
    throws('ThrowServerStatus', () => new Own('The database is down', 'DOWN', 503)),
    throws('ThrowServerCode', () => new Own('Too slow', 'TIMEOUT')),
    throws('ThrowNoCode', () => new Own('Nothing is said')),
    throws('ThrowOwnTrap', () => Object.defineProperty(new Own('hidden'), 'status', { get: trap })),
    throws('ThrowSystem', () => Object.assign(new Error('no such file'), { code: 'ENOENT', errno: -2, status: 404 })),
    fn('FailDeclared', { errors: { TEAPOT: { description: 'It is a teapot.', status: 418 } } }, () => {
      return new Failure('TEAPOT', 'Short and stout');
    }),
    ...Object.keys(codes).map((code) => throws(failsWith(code), () => new Failure(code, 'So says the author'))),
    gives('GiveNaN', () => NaN),
    gives('GiveInfinity', () => ({ a: [1, Infinity] })),
    gives('GiveHole', () => [1, undefined, 3]),
    gives('GiveUndefined', () => undefined),
    gives('GiveCircle', circle),
    gives('GiveDeep', deep),
    gives('GiveMap', () => ({ m: new Map([['a', 1]]) })),
    gives('GiveFunction', () => ({ f: () => 1 })),
    gives('GiveProxy', unreadable),
    gives('GiveSurrogate', () => '\ud800'),
    gives('GiveDate', () => new Date(0)),
    gives('GiveBadDate', () => new Date(NaN)),
    gives('GiveBigInt', () => 12345678901234567890n),
    gives('GiveBytes', () => new Uint8Array([1, 2, 255])),
    gives('GiveProto', () => JSON.parse('{"__proto__":{"x":1},"constructor":2}') as unknown),
    fn('GiveWrongType', { output: integer }, () => 'seven'),
    fn('GiveOneOfTwo', { outputs: [integer, integer] }, () => [1]),
    fn('Slow', { timeout: 50 }, () => new Promise(() => {})),
    fn('Stray', { output: string }, async () => {
      void Promise.reject(new Error('nobody awaited this'));
      await new Promise((resolve) => setTimeout(resolve, 20));
      return 'ok';
    }),
    fn('StrayNow', { output: string }, () => {
      void Promise.reject(new Error('nobody awaited this'));
      return 'ok';
    }),
    // It has no text.
    fn('StrayNothing', {}, () => void Promise.reject(Object.create(null) as Error)),
    fn('Timer', { timeout: 2000 }, () => {
      setTimeout(() => {
        throw new Error('thrown from a timer');
      }, 10);
      return new Promise(() => {});
    }),
    fn('BadListener', { timeout: 30 }, (_, { signal }) => {
      signal.addEventListener('abort', () => {
        throw new Error('thrown from a listener');
      });
      return new Promise(() => {});
    }),
    // Past process.stdout.
    fn('PrintLow', { output: string }, () => {
      writeSync(1, 'noise from the descriptor\n');
      spawnSync('echo', ['noise from a child'], { stdio: 'inherit' });
      console.log('noise from console.log');
      return 'ok';
    }),
    fn('Print', { output: string }, () => {
      console.log('noise from console.log');
      process.stdout.write('noise from process.stdout\n');
      return 'ok';
    }),
  ],
});
