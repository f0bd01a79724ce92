import { createApp, defineFunction, definePrompt, defineResource } from 'everywire';
import { serve } from 'everywire/node';
import { describe, expect, it } from 'vitest';
import { problemsOf as problemsOfApp, silent } from '../kit/parts.ts';
import { proves } from '../promises.ts';

const right = {
  name: 'Right',
  description: 'Does it right',
  output: { type: 'string', description: 'A result' },
  run: () => 'right',
};
const note = { uri: 'notes://x', name: 'Note', description: 'A note', read: () => 'text' };
const ask = { name: 'Ask', description: 'Asks', run: () => 'What?' };

const problemsOf = (options: object, functions: readonly object[] = [right]) =>
  problemsOfApp({ functions, ...options });

describe('an option that does not exist', () => {
  const ofApp: readonly (readonly [options: object, problem: string])[] = [
    [{ middlewares: [] }, 'createApp: unknown option "middlewares" (did you mean "middleware"?)'],
    [{ resource: [] }, 'createApp: unknown option "resource" (did you mean "resources"?)'],
    [{ zebra: 1 }, 'createApp: unknown option "zebra"'],
    [{ license: { nmae: 'MIT', name: 'MIT' } }, 'license: unknown option "nmae" (did you mean "name"?)'],
    [{ audit: { to: () => {}, argument: true } }, 'audit: unknown option "argument" (did you mean "arguments"?)'],
    [{ limits: { bodey: 5 } }, 'limits: unknown limit "bodey" (did you mean "body"?)'],
    [
      { resources: [{ ...note, mimetype: 'a/b' }] },
      'resources[0]: unknown option "mimetype" (did you mean "mimeType"?)',
    ],
    [{ resources: [{ ...note, handler: 1 }] }, 'resources[0]: unknown option "handler"'],
    [{ prompts: [{ ...ask, handler: 1 }] }, 'prompts[0]: unknown option "handler" (did you mean "run"?)'],
  ];
  for (const [options, problem] of ofApp) {
    it(proves('build.unknown-options', `is refused: ${problem}`), () => expect(problemsOf(options)).toEqual([problem]));
  }

  const ofFunctions: readonly (readonly [options: object, problem: string])[] = [
    [{ returns: { type: 'string' } }, 'unknown option "returns" (did you mean "output"?)'],
    [{ inputSchema: {} }, 'unknown option "inputSchema" (did you mean "input"?)'],
    [{ timeOut: 5 }, 'unknown option "timeOut" (did you mean "timeout"?)'],
    [{ hints: { readonly: true } }, 'hints: unknown option "readonly" (did you mean "readOnly"?)'],
    [
      { errors: { GONE: { description: 'Gone', stauts: 410 } } },
      'errors: "GONE": unknown option "stauts" (did you mean "status"?)',
    ],
    [{ examples: [{ input: {}, outputs: 'x' }] }, 'examples[0]: unknown option "outputs" (did you mean "output"?)'],
  ];
  for (const [options, problem] of ofFunctions) {
    it(proves('build.unknown-options', `of a function is refused: ${problem}`), () =>
      expect(problemsOf({}, [{ ...right, ...options }])).toEqual([`functions[0] "Right": ${problem}`]),
    );
  }

  const ofServe: readonly (readonly [options: object, message: string])[] = [
    [{ prot: 80 }, 'serve: unknown option "prot" (did you mean "port"?)'],
    [{ hostname: 'x', zebra: 1 }, 'serve: unknown option "hostname" (did you mean "host"?); unknown option "zebra"'],
    [{ https: {} }, 'serve: unknown option "https" (did you mean "tls"?)'],
    [{ tls: { cert: 'x', key: 'y', pasphrase: '' } }, 'serve: tls: unknown option "pasphrase"'],
    [{ tls: 'cert.pem' }, 'serve: tls must be an object with cert and key'],
    [{ compression: { form: 1 } }, 'serve: compression: unknown option "form" (did you mean "from"?)'],
    [{ compression: true }, 'serve: compression must be false, or an object such as { from: 4096 }'],
    [{ compression: { from: -1 } }, 'serve: compression.from must be a non-negative integer, not -1'],
  ];
  for (const [options, message] of ofServe) {
    it(proves('build.unknown-options', `is refused: ${message}`), async () => {
      const app = createApp({ name: 'Served', version: '1.0.0', functions: [] });
      await expect(serve(app, { port: 0, ...options } as never)).rejects.toThrow(new TypeError(message));
    });
  }

  it(proves('build.unknown-options', 'is none of: undefined, symbols, fields of a class, what define… returns'), () => {
    class Add {
      readonly name = 'Add';
      readonly description = 'Adds';
      readonly cache = new Map();
      readonly run = () => {};
    }
    const given = [
      defineFunction({ ...right, [Symbol('mine')]: 1 } as never),
      Object.freeze({ ...right, name: 'Frozen', returns: undefined }),
      Object.assign(Object.create(null) as object, { ...right, name: 'Bare' }),
      new Add(),
    ];
    const resources = [defineResource(note)];
    const prompts = [definePrompt(ask)];
    expect(problemsOf({ resources, prompts, colour: undefined, [Symbol('mine')]: 1 }, given)).toEqual([]);
  });
});

describe('a value that an option cannot have', () => {
  const log = silent;
  const named = (name: string) => ({ name, scheme: 'either', authenticate: () => undefined }) as const;
  const access = (options: unknown) => ({ access: options });
  const url = 'https://api.example.com';
  const wrong: readonly (readonly [options: object, problem: string])[] = [
    [{ names: 'short' }, 'names must be "spec" or "portable", not "short"'],
    [{ errors: 'hidden' }, 'errors must be "shown" or "masked", not "hidden"'],
    [{ profile: 'none' }, 'profile must be "plain" or '],
    [{ check: 'never' }, 'check must be '],
    [{ descriptions: 'some' }, 'descriptions must be "required" or "optional", not "some"'],
    [{ console: 1 }, 'console must be true or false, not 1'],
    [{ functions: {} }, 'functions must be a list'],
    [{ http: 'GET' }, 'http must be { method: "GET" }'],
    [{ http: { method: 'POST' } }, 'http must be { method: "GET" }'],
    [{ http: { path: '/x' } }, 'http must be { method: "GET" }'],
    [{ middleware: [1] }, 'middleware must be a list of functions'],
    [{ middleware: {} }, 'middleware must be a list of functions'],
    [{ start: 1 }, 'start must be a function'],
    [{ stop: {} }, 'stop must be a function'],
    [{ clock: 5 }, 'clock must be a function'],
    [{ log: { ...log, warn: undefined } }, 'log must have the functions debug, info, warn and error'],
    [{ audit: { to: [() => {}, 'stdout'] } }, 'audit.to must be a sink'],
    [{ secret: 'ü'.repeat(15) }, 'secret must be a string of at least 32 bytes'],
    [access(5), 'access must be an object'],
    [access({ polciy: 1 }), 'access: unknown option "polciy" (did you mean "policy"?)'],
    [access({ authenticators: [named('a'), {}] }), 'access.authenticators must be a list'],
    [access({ authenticators: [named('a'), named('a'), named('b')] }), 'two authenticators are named "a"'],
    [access({ url: 'ftp://api.example.com' }), 'access.url must be a URL'],
    [access({ url: `${url}/?a` }), 'access.url must be a URL'],
    [access({ url: `${url}/#a` }), 'access.url must be a URL'],
    [access({ url: 'https://a@api.example.com' }), 'access.url must be a URL'],
    [access({ url, servers: url }), 'access.servers must be a list of URLs'],
    [access({ url, servers: [url, 5] }), 'access.servers must be a list of URLs'],
    [access({ servers: [url] }), 'access.servers needs access.url'],
    [access({ scopes: ['a b'] }), 'access.scopes must be a list'],
    [access({ scopes: 'private' }), 'access.scopes must be a list'],
    [access({ implies: { a: 'b' } }), 'access.implies must list'],
    [access({ implies: null }), 'access.implies must list'],
    [access({ policy: true }), 'access.policy must be a function'],
    [access({ headers: ['a b'] }), 'access.headers must be a list'],
    [access({ headers: ['X-Tenant', 'Cookie'] }), 'access.headers: Cookie is a credential'],
    [access({ user: 'ada' }), 'access.user must be a function'],
    [access({ local: { id: '' } }), 'access.local: The id of a principal'],
  ];
  it.each(wrong)('%o: %s', (options, problem) => {
    expect(problemsOf(options)).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    { names: 'portable', errors: 'masked', profile: 'envelope', check: 'enforce' },
    { descriptions: 'optional', console: false },
    { http: { method: 'GET' }, middleware: [() => undefined], start() {}, stop() {}, clock: () => 0, log },
    { audit: { to: [() => {}, { begin() {} }] }, secret: 'x'.repeat(32) },
    access({ authenticators: [named('key'), named('key'), named('b')], url, servers: ['http://auth.example.com/a'] }),
    access({ scopes: 'public', implies: { a: ['b'] }, policy: () => true }),
    access({ headers: ['X-Tenant'], user() {}, local: { id: 'a' } }),
  ])('is none of %o', (options) => expect(problemsOf(options)).toEqual([]));
});
