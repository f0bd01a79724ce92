import { createApp, defineFunction, definePrompt, defineResource } from 'everywire';
import { serve } from 'everywire/node';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mayBecomeApp } from '../../src/app/is-app.ts';
import { problemsOf as problemsOfApp, silent } from '../kit/parts.ts';
import { proves } from '../promises.ts';

const right = { name: 'Right', description: 'Is right', run: () => {} };

const problemsOf = (functions: readonly unknown[], options: object = {}) => problemsOfApp({ functions, ...options });

const parameter = (schema: object) => ({ type: 'object', properties: { p: { description: 'P', ...schema } } });

describe('building an app', () => {
  it(proves('build.all-at-once', 'reports every mistake in one message'), () => {
    const functions = [{ name: '9lives' }, { ...right, description: ' ' }, { ...right, input: { type: 'string' } }];
    const build = () => createApp({ name: '', version: '', functions: functions as never });
    expect(build).toThrow(
      [
        '8 problems in app "":',
        '  - the app has no name',
        '  - the app has no version',
        '  - functions[0] "9lives": a name must start with a letter and contain only letters, digits, "_", "-" and "."',
        '  - functions[0] "9lives": has no description',
        '  - functions[0] "9lives": has no run function',
        '  - functions[1] "Right": has no description',
        '  - functions[2] "Right": input must be an object at the root, not "string"',
        '  - functions[2] "Right": shares the name "Right" with functions[1] "Right"',
      ].join('\n'),
    );
  });

  it('takes what is right, and refuses what is no definition', () => {
    expect(problemsOf([right])).toEqual([]);
    expect(problemsOf([undefined])).toEqual(['functions[0]: has no name']);
  });

  const integer = z.int().describe('n');
  const table: readonly (readonly [facts: object, ...problems: string[]])[] = [
    [{ output: integer, outputs: [integer, integer] }, 'has both output and outputs'],
    [{ outputs: [integer] }, 'outputs needs at least two schemas; use output for one value, and neither for none'],
    [
      { input: parameter({ type: 'strnig' }) },
      'input: invalid JSON Schema at #/properties/p/type: expected "string", got "strnig"',
    ],
    [
      { input: parameter({ type: 'string', pattern: '(' }) },
      'input: invalid JSON Schema at #/properties/p/pattern: expected a regular expression, got "("',
    ],
    [
      { input: parameter({ $ref: '#/$defs/Nope' }) },
      'input: invalid JSON Schema at #/properties/p/$ref: "#/$defs/Nope" is not found in this schema',
    ],
    [
      { input: { type: 'object', properties: JSON.parse('{"__proto__":{"description":"d"}}') as object } },
      'input: a parameter must not be named "__proto__"',
    ],
    [
      { input: z.object({ m: z.map(z.string(), z.string()).describe('d') }) },
      'input: a zod map cannot be represented in JSON',
    ],
    [
      { input: z.object({ n: integer }), examples: [{ input: { n: 'x' } }] },
      'examples[0].input/n: expected integer, got "x"',
    ],
    [{ output: integer, examples: [{ input: {}, output: 'x' }] }, 'examples[0].output: expected integer, got "x"'],
    [{ input: parameter({ type: 'integer', default: 'abc' }) }, 'input: the default "abc" breaks its own schema'],
    [
      { input: { type: 'object', allOf: [{ $ref: '#' }] } },
      'input: invalid JSON Schema at #/allOf/0/$ref: "#" refers to itself',
    ],
    [
      { input: { type: 'object', patternProperties: { '(': {} } } },
      'input: invalid JSON Schema at #/patternProperties: expected a regular expression, got "("',
    ],
    [
      { description: 5, errors: { X: null }, timeout: -1 },
      'has no description',
      'errors: "X" has no description',
      'timeout must be a non-negative integer (milliseconds), not -1',
    ],
    [{ examples: { a: 1 } }, 'examples must be a list of objects'],
    [
      { errors: { 'a b': { description: 'd' }, QUIET: {}, ODD: { description: 'd', status: 200 } } },
      'errors: invalid code "a b" (only letters, digits and "_"; OK is reserved)',
      'errors: "QUIET" has no description',
      'errors: the status of "ODD" must be from 400 to 599, not 200',
    ],
    [
      { input: { x: { type: 'number' } } },
      `input must be an object at the root, not "any value": write { type: 'object', properties: { x: … } }`,
    ],
    [
      { input: { properties: {}, $defs: {} } },
      `input must be an object at the root, not "any value": write { type: 'object', properties: … }`,
    ],
    [{ operationId: 'a b' }, 'operationId "a b" must be 1 to 128 letters, digits, "_", "-" and "."'],
  ];
  for (const [facts, ...problems] of table) {
    it(proves('build.descriptions', problems.join('; ')), () =>
      expect(problemsOf([{ ...right, ...facts }])).toEqual(problems.map((one) => `functions[0] "Right": ${one}`)),
    );
  }

  it(proves('build.all-at-once', 'says what a version is'), () => {
    expect(problemsOf([right], { version: 1 })).toEqual(['version must be a string, not 1']);
  });

  it(proves('build.object-root', 'rejects schemas whose root is not an object'), () => {
    for (const input of [{ type: 'array' }, {}, { type: ['object', 'null'] }, z.string().describe('s')]) {
      expect(problemsOf([{ ...right, input }])[0]).toContain('input must be an object at the root');
    }
  });

  it(proves('build.collisions', 'rejects two functions that share a name, and names both'), () => {
    for (const [second, problem] of [
      [{}, '"Right": shares the name "Right"'],
      [{ name: 'Other', operationId: 'functions.Right' }, '"Other": shares the name "functions.Right"'],
      [{ name: 'Other', operationId: 'functions_Right' }, '"Other": shares the name "functions_Right"'],
      [{ name: 'right' }, '"right": shares the command "right"'],
    ] as const)
      expect(problemsOf([right, { ...right, ...second }])).toEqual([
        `functions[1] ${problem} with functions[0] "Right"`,
      ]);
  });

  it(proves('name.portable', 'restricts portable names to those that every client application accepts'), () => {
    const long = { ...right, name: 'A'.repeat(60) };
    expect(problemsOf([long])).toEqual([]);
    expect(problemsOf([long], { names: 'portable' })[0]).toContain('must be 1 to 64 letters, digits, "_" and "-"');
  });

  it(proves('build.all-at-once', 'rejects invalid limits, and ignores undefined ones'), () => {
    expect(problemsOf([right], { limits: { body: undefined, requestTimeout: 0 } })).toEqual([]);
    expect(problemsOf([right], { limits: { body: -1, dpeth: 3, headersTimeout: 70_000 } })).toEqual([
      'limits: "body" must be a non-negative integer, not -1',
      'limits: unknown limit "dpeth" (did you mean "depth"?)',
      'limits: "headersTimeout" must not exceed "requestTimeout"',
    ]);
  });

  it(proves('build.frozen', 'freezes definitions'), () => {
    const errors = { X: { description: 'x' } };
    const definition = defineFunction({ ...right, tags: ['a'], hints: { readOnly: true }, errors });
    expect(Object.isFrozen(definition)).toBe(true);
    expect(Object.isFrozen(definition.hints)).toBe(true);
    expect(Object.isFrozen(definition.errors?.['X'])).toBe(true);
    expect(() => ((definition as { name: string }).name = 'Other')).toThrow(TypeError);
  });
});

const told = { ...right, output: { type: 'string', description: 'A result' }, run: () => 'right' };
const note = { uri: 'notes://x', name: 'Note', description: 'A note', read: () => 'text' };
const ask = { name: 'Ask', description: 'Asks', run: () => 'What?' };

describe('an option that does not exist', () => {
  it.each<[options: object, problem: string]>([
    [{ middlewares: [] }, 'createApp: unknown option "middlewares" (did you mean "middleware"?)'],
    [{ resource: [] }, 'createApp: unknown option "resource" (did you mean "resources"?)'],
    [{ zebra: 1 }, 'createApp: unknown option "zebra"'],
    [{ license: { nmae: 'MIT', name: 'MIT' } }, 'license: unknown option "nmae" (did you mean "name"?)'],
    [{ audit: { to: () => {}, argument: true } }, 'audit: unknown option "argument" (did you mean "arguments"?)'],
    [
      { resources: [{ ...note, mimetype: 'a/b' }] },
      'resources[0]: unknown option "mimetype" (did you mean "mimeType"?)',
    ],
    [{ resources: [{ ...note, handler: 1 }] }, 'resources[0]: unknown option "handler"'],
    [{ prompts: [{ ...ask, handler: 1 }] }, 'prompts[0]: unknown option "handler" (did you mean "run"?)'],
  ])(proves('build.unknown-options', 'is refused: %j'), (options, problem) =>
    expect(problemsOf([told], options)).toEqual([problem]),
  );

  it.each<[options: object, problem: string]>([
    [{ returns: { type: 'string' } }, 'unknown option "returns" (did you mean "output"?)'],
    [{ inputSchema: {} }, 'unknown option "inputSchema" (did you mean "input"?)'],
    [{ timeOut: 5 }, 'unknown option "timeOut" (did you mean "timeout"?)'],
    [{ hints: { readonly: true } }, 'hints: unknown option "readonly" (did you mean "readOnly"?)'],
    [
      { errors: { GONE: { description: 'Gone', stauts: 410 } } },
      'errors: "GONE": unknown option "stauts" (did you mean "status"?)',
    ],
    [{ examples: [{ input: {}, outputs: 'x' }] }, 'examples[0]: unknown option "outputs" (did you mean "output"?)'],
  ])(proves('build.unknown-options', 'of a function is refused: %j'), (options, problem) =>
    expect(problemsOf([{ ...told, ...options }])).toEqual([`functions[0] "Right": ${problem}`]),
  );

  it.each<[options: object, message: string]>([
    [{ prot: 80 }, 'serve: unknown option "prot" (did you mean "port"?)'],
    [{ hostname: 'x', zebra: 1 }, 'serve: unknown option "hostname" (did you mean "host"?); unknown option "zebra"'],
    [{ https: {} }, 'serve: unknown option "https" (did you mean "tls"?)'],
    [{ tls: { cert: 'x', key: 'y', pasphrase: '' } }, 'serve: tls: unknown option "pasphrase"'],
    [{ tls: 'cert.pem' }, 'serve: tls must be an object with cert and key'],
    [{ compression: { form: 1 } }, 'serve: compression: unknown option "form" (did you mean "from"?)'],
    [{ compression: true }, 'serve: compression must be false, or an object such as { from: 4096 }'],
    [{ compression: { from: -1 } }, 'serve: compression.from must be a non-negative integer, not -1'],
  ])(proves('build.unknown-options', 'of serve is refused: %j'), async (options, message) => {
    const app = createApp({ name: 'Served', version: '1.0.0', functions: [] });
    await expect(serve(app, { port: 0, ...options } as never)).rejects.toThrow(new TypeError(message));
  });

  it(proves('build.unknown-options', 'is none of: undefined, symbols, fields of a class, what define… returns'), () => {
    class Add {
      readonly name = 'Add';
      readonly description = 'Adds';
      readonly cache = new Map();
      readonly run = () => {};
    }
    const given = [
      defineFunction({ ...told, [Symbol('mine')]: 1 } as never),
      Object.freeze({ ...told, name: 'Frozen', returns: undefined }),
      Object.assign(Object.create(null) as object, { ...told, name: 'Bare' }),
      new Add(),
    ];
    const resources = [defineResource(note)];
    const prompts = [definePrompt(ask)];
    expect(problemsOf(given, { resources, prompts, colour: undefined, [Symbol('mine')]: 1 })).toEqual([]);
  });
});

describe('a value that an option cannot have', () => {
  const log = silent;
  const named = (name: string) => ({ name, scheme: 'either', authenticate: () => undefined }) as const;
  const access = (options: unknown) => ({ access: options });
  const url = 'https://api.example.com';
  it.each<[options: object, problem: string]>([
    [{ names: 'short' }, 'names must be "spec" or "portable", not "short"'],
    [{ errors: 'hidden' }, 'errors must be "shown" or "masked", not "hidden"'],
    [{ profile: 'none' }, 'profile must be "plain" or '],
    [{ check: 'off' }, 'check must be '],
    [{ descriptions: 'some' }, 'descriptions must be "required" or "optional", not "some"'],
    [{ console: 1 }, 'console must be true or false, not 1'],
    [{ functions: {} }, 'functions must be a list'],
    [{ functions: undefined }, 'functions must be a list'],
    [{ audit: null }, 'audit.to must be a sink'],
    [{ limits: 5 }, 'limits must be an object'],
    [{ limits: { concurrent: 0 } }, 'limits: "concurrent" must be at least 1'],
    [{ resources: {} }, 'resources must be a list of objects'],
    [{ prompts: [null] }, 'prompts must be a list of objects'],
    [{ resources: [{ name: 'X', read() {} }] }, 'resources[0]: uri must start with a scheme'],
    [{ functions: [{ name: 'F', description: 'f', errors: null, run() {} }] }, 'errors must be an object of codes'],
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
  ])('%o: %s', (options, problem) => {
    expect(problemsOf([told], options)).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    ...['enforce', 'repair', 'observe'].map((check) => ({ check })),
    { names: 'portable', errors: 'masked', profile: 'envelope' },
    { descriptions: 'optional', console: false },
    { http: { method: 'GET' }, middleware: [() => undefined], start() {}, stop() {}, clock: () => 0, log },
    { audit: { to: [() => {}, { begin() {} }] }, secret: 'ü'.repeat(16) },
    access({ authenticators: [named('key'), named('key'), named('b')], url, servers: ['http://auth.example.com/a'] }),
    access({ scopes: 'public', implies: { a: ['b'] }, policy: () => true }),
    access({ headers: ['X-Tenant'], user() {}, local: { id: 'a' } }),
  ])('is none of %o', (options) => expect(problemsOf([told], options)).toEqual([]));
});

it('only functions without parameters may return an app', () => {
  const callable = [() => 1, async () => 1, function named() {}, async function named() {}, Promise.resolve()];
  expect(callable.map(mayBecomeApp)).toEqual(callable.map(() => true));
  const others = [
    (folder = '/data') => folder,
    (...more: string[]) => more,
    ({ a = 1 } = {}) => a,
    async (x = 1) => x,
    function* generator() {},
    Date,
    class Named {
      field = 1;
    },
    1,
    undefined,
  ];
  expect(others.map(mayBecomeApp)).toEqual(others.map(() => false));
});
