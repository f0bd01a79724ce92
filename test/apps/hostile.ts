import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { codes, createApp, defineFunction, Failure } from 'everywire';
import { failsWith } from '../behaviours/fails-with.ts';

const any = { description: 'Anything' } as const;

const throws = (name: string, thrown: () => unknown) =>
  defineFunction({
    name,
    description: `Throws: ${name}`,
    run: () => {
      throw thrown();
    },
  });

const rejects = (name: string, thrown: () => unknown) =>
  defineFunction({ name, description: `Rejects: ${name}`, run: async () => Promise.reject(thrown() as Error) });

const gives = (name: string, value: () => unknown) =>
  defineFunction({ name, description: `Returns: ${name}`, output: any, run: value });

const unreadable = () =>
  new Proxy(
    {},
    {
      get: () => {
        throw new Error('trap');
      },
      has: () => {
        throw new Error('trap');
      },
      getPrototypeOf: () => {
        throw new Error('trap');
      },
      ownKeys: () => {
        throw new Error('trap');
      },
    },
  );

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

export default createApp({
  name: 'Hostile',
  version: '1.0.0',
  log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  functions: [
    throws('ThrowString', () => 'a bare string'),
    throws('ThrowNull', () => null),
    throws('ThrowUndefined', () => undefined),
    throws('ThrowNumber', () => 42),
    throws('ThrowProxy', unreadable),
    throws('ThrowBadGetter', () =>
      Object.defineProperty(new Error('hidden'), 'message', {
        get: () => {
          throw new Error('the getter throws');
        },
      }),
    ),
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
    defineFunction({
      name: 'FailDeclared',
      description: 'Fails with a status of its own',
      errors: { TEAPOT: { description: 'It is a teapot.', status: 418 } },
      run: () => new Failure('TEAPOT', 'Short and stout'),
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
    defineFunction({
      name: 'GiveWrongType',
      description: 'Returns text where an integer is promised',
      output: { type: 'integer', description: 'An integer' },
      run: () => 'seven' as never,
    }),
    defineFunction({
      name: 'GiveOneOfTwo',
      description: 'Returns one value where two are promised',
      outputs: [
        { type: 'integer', description: 'First' },
        { type: 'integer', description: 'Second' },
      ],
      run: () => [1] as never,
    }),
    defineFunction({
      name: 'Slow',
      description: 'Never ends by itself',
      timeout: 50,
      run: () => new Promise<void>(() => {}),
    }),
    defineFunction({
      name: 'Stray',
      description: 'Leaves a rejection behind, then answers',
      output: { type: 'string', description: 'ok' },
      run: async () => {
        void Promise.reject(new Error('nobody awaited this'));
        await new Promise((resolve) => setTimeout(resolve, 20));
        return 'ok';
      },
    }),
    defineFunction({
      name: 'StrayNothing',
      description: 'Leaves a rejection behind that has no text',
      run: () => void Promise.reject(Object.create(null) as Error),
    }),
    defineFunction({
      name: 'Timer',
      description: 'Throws where nobody can catch it, and never answers',
      timeout: 2000,
      run: () =>
        new Promise<void>(() => {
          setTimeout(() => {
            throw new Error('thrown from a timer');
          }, 10);
        }),
    }),
    defineFunction({
      name: 'BadListener',
      description: 'Throws when it is told that the time is up',
      timeout: 30,
      run: (_input, { signal }) =>
        new Promise<void>(() => {
          signal.addEventListener('abort', () => {
            throw new Error('thrown from a listener');
          });
        }),
    }),
    defineFunction({
      name: 'PrintLow',
      description: 'Prints to descriptor 1, past process.stdout',
      output: { type: 'string', description: 'ok' },
      run: () => {
        writeSync(1, 'noise from the descriptor\n');
        spawnSync('echo', ['noise from a child'], { stdio: 'inherit' });
        console.log('noise from console.log');
        return 'ok';
      },
    }),
    defineFunction({
      name: 'Print',
      description: 'Prints to stdout in every way a program can',
      output: { type: 'string', description: 'ok' },
      run: () => {
        console.log('noise from console.log');
        process.stdout.write('noise from process.stdout\n');
        return 'ok';
      },
    }),
  ],
});
