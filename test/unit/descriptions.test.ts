import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../src/app/create-app.ts';
import { ContextFailure, Failure, FrameworkError } from '../../src/core/failure.ts';
import { descriptionOf } from '../../src/schema/description.ts';
import { proves } from '../promises.ts';
import { problemsOf, throwing } from '../kit/parts.ts';
import { problem } from '../../src/responses/profiles/problem.ts';
import { fromStored, toStored } from '../../src/tasks/task-payloads.ts';

const recorder = () => {
  const lines: string[] = [];
  const note = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
  return { lines, log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') } };
};

const DESCRIBED = { $defs: { Place: { type: 'string', description: 'A place' }, Bare: { type: 'string' } } } as const;

const functions = [
  {
    name: 'Go',
    description: 'Goes',
    input: {
      type: 'object',
      properties: {
        from: { $ref: '#/$defs/Place' },
        to: { $ref: '#/$defs/Bare' },
        via: { anyOf: [{ type: 'string', description: 'On the way' }, { type: 'null' }] },
        how: { type: 'string', description: ' ' },
      },
      ...DESCRIBED,
    },
    output: { $ref: '#/$defs/Place', ...DESCRIBED },
    run: () => 'there',
  },
  { name: 'Pair', description: 'Two', outputs: [z.int().describe('One'), z.int()], run: () => [1, 2] },
  { name: 'One', description: 'One', output: { type: 'integer' }, run: () => 1 },
] as const;

const prompts = [
  { name: 'Ask', description: 'Asks', input: z.object({ who: z.string() }), run: () => 'Hello' },
] as const;

describe('missing descriptions', () => {
  it(proves('build.descriptions', 'are one warning that lists them; behind a $ref they count'), () => {
    const { lines, log } = recorder();
    createApp({ name: 'Trip', version: '1', functions, prompts, log });
    expect(lines).toEqual([
      'warn: Missing descriptions in app "Trip": functions[0] "Go": input: parameter "to"; ' +
        'functions[0] "Go": input: parameter "how"; functions[1] "Pair": outputs[1]; functions[2] "One": output; ' +
        'prompts[0] "Ask": input: parameter "who"',
    ]);
  });

  it('are nothing if they are optional', () => {
    const { lines, log } = recorder();
    createApp({ name: 'Trip', version: '1', functions, prompts, log, descriptions: 'optional' });
    expect(lines).toEqual([]);
  });

  it(proves('build.descriptions', 'are mistakes if they are required'), () => {
    const { lines, log } = recorder();
    const build = () => createApp({ name: 'Trip', version: '1', functions, prompts, log, descriptions: 'required' });
    expect(build).toThrow(
      [
        '5 problems in app "Trip":',
        '  - functions[0] "Go": input: parameter "to" has no description',
        '  - functions[0] "Go": input: parameter "how" has no description',
        '  - functions[1] "Pair": outputs[1] has no description',
        '  - functions[2] "One": output has no description',
        '  - prompts[0] "Ask": input: parameter "who" has no description',
      ].join('\n'),
    );
    expect(lines).toEqual([]);
  });

  it(proves('build.descriptions', 'do not stop an app from being served and described'), async () => {
    const app = createApp({ name: 'Trip', version: '1', functions, log: recorder().log });
    expect(await app.call('One')).toEqual({ ok: true, data: 1 });
    const document = (await (await app.fetch(new Request('http://localhost/openapi.json'))).json()) as {
      paths: Record<string, { post: { responses: { 200: { description: string } } } }>;
    };
    const described = (name: string) => document.paths[`/functions/${name}`]!.post.responses[200].description;
    const expected = ['A place', 'One; The result', 'The result'];
    expect([described('Go'), described('Pair'), described('One')]).toEqual(expected);
  });

  it(proves('build.descriptions', 'are looked for in a recursive schema, too'), () => {
    const root = { $defs: { A: { allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/A' }] } } };
    expect(descriptionOf({ schema: { $ref: '#/$defs/A' }, root })).toBeUndefined();
  });
});

describe('codes that are not declared', () => {
  const raising = (raise: () => unknown) => {
    const { lines, log } = recorder();
    const app = createApp({
      name: 'Test',
      version: '1',
      log,
      functions: [{ name: 'Raise', description: 'Raises', errors: { KNOWN: { description: 'Known' } }, run: raise }],
      resources: [{ uri: 'test://a', name: 'a', description: 'A', read: raise }],
    });
    return { lines, app };
  };

  it(proves('failure.undeclared', 'are logged once, thrown or returned, with what to add'), async () => {
    const warning =
      "warn: functions.Raise raised SECRET, which it does not declare; add errors: { SECRET: { description: '…' } }";
    for (const raise of [throwing(new Failure('SECRET', 'No')), async () => new Failure('SECRET', 'No')]) {
      const { lines, app } = raising(raise);
      for (let i = 0; i < 3; i++) expect(await app.call('Raise')).toMatchObject({ error: { code: 'SECRET' } });
      expect(lines).toEqual([warning]);
    }
  });

  it.each([
    ['declared', new Failure('KNOWN', 'No')],
    ['of the framework', new FrameworkError('CANCELLED', 'No')],
    ['of context.files', new ContextFailure('NOT_FOUND', 'No')],
  ])(proves('failure.undeclared', 'unless they are %s'), async (_title, failure) => {
    const { lines, app } = raising(throwing(failure));
    await app.call('Raise');
    expect(lines).toEqual([]);
  });

  it(proves('failure.undeclared', 'nor for resources, which declare none'), async () => {
    const { lines, app } = raising(throwing(new Failure('SECRET', 'No')));
    await app.resources.respond({ name: 'a', input: {}, caller: { wire: 'test' } }, 'plain');
    expect(lines).toEqual([]);
  });

  it(proves('failure.undeclared', 'are bounded if they are computed, and a broken Failure does no harm'), async () => {
    let count = 0;
    const { lines, app } = raising(() => new Failure(`CODE_${count++}`, 'No'));
    for (let i = 0; i < 1100; i++) await app.call('Raise');
    expect(lines).toHaveLength(1000);
    const broken = new Proxy(new Failure('SECRET', 'No'), { has: vi.fn(throwing(new Error('trap'))) });
    expect((await raising(throwing(broken)).app.call('Raise')).ok).toBe(false);
  });
});

describe('values of functions without output', () => {
  const returning = (value: unknown) => {
    const { lines, log } = recorder();
    const get = { name: 'Get', description: 'Gets', run: () => value as never };
    return { lines, app: createApp({ name: 'Test', version: '1', log, functions: [get] }) };
  };
  const warning = (output: string) =>
    `warn: functions.Get returned a value that is not sent, because it declares no output; add output: ${output}, or return nothing`;

  it.each<[string, unknown, string?]>([
    ['a number', 0, "{ type: 'number', description: '…' }"],
    ['a list, later', Promise.resolve([]), "{ type: 'array', description: '…' }"],
    ['a big integer', 1n, '…'],
    ['nothing', undefined],
    ['null', null],
    [
      'what a generator yields',
      (async function* () {
        yield 1;
      })(),
    ],
    ['a failure', new FrameworkError('CANCELLED', 'No')],
  ])(proves('output.undeclared', '%s'), async (_title, value, output) => {
    const { lines, app } = returning(value);
    for (let i = 0; i < 3; i++) await app.call('Get');
    expect(lines).toEqual(output === undefined ? [] : [warning(output)]);
  });
});

describe('errors of own classes', () => {
  class Jammed extends Error {}
  class Own extends Error {
    code = 'CLOSED';
    status = 423;
  }
  const masked = { name: 'Test', version: '1', errors: 'masked' } as const;
  const thrown = { classes: { JAMMED: { class: Jammed, status: 409, description: 'Stuck' } }, ownCodes: [Own] };
  const raise = (error: Error, more = {}) => ({ name: 'Raise', description: 'Raises', run: throwing(error), ...more });
  const outer = {
    name: 'Outer',
    description: 'Calls',
    run: (_: object, { call }: { call: (name: string) => unknown }) => call('Raise'),
  };
  const copying = async (_: unknown, next: () => Promise<object>) => {
    const outcome = (await next()) as { error: object };
    return { ...outcome, error: { ...outcome.error } };
  };

  const [jammed, own] = [new Jammed('Open'), new Own('No')];
  const asOwn = { CLOSED: { description: 'Closed', status: 410 } };
  const asStuck = { STUCK: { description: 'Stuck', class: Jammed } };
  const asJammed = { JAMMED: { description: 'Stuck', status: 400 } };
  it.each<[string, object[], object, string | RegExp]>([
    ['are shown although errors are masked', [raise(jammed)], {}, 'JAMMED 409 Open, logged 0'],
    ['have what the function says', [raise(jammed, { errors: asJammed })], {}, 'JAMMED 400 Open, logged 0'],
    ['have the code of the function', [raise(jammed, { errors: asStuck })], {}, 'STUCK 422 Open, logged 0'],
    ['have the declared status of their code', [raise(own, { errors: asOwn })], {}, 'CLOSED 410 No, logged 0'],
    ['say that a code is not declared', [raise(own)], {}, 'CLOSED 423 No, logged 1'],
    ['keep their status through other functions', [outer, raise(own)], {}, 'CLOSED 423 No, logged 2'],
    ['and through middleware', [raise(own)], { middleware: [copying] }, 'CLOSED 423 No, logged 1'],
    ['also of middleware', [raise(own)], { middleware: [throwing(jammed)] }, 'JAMMED 409 Open, logged 0'],
    ['not without the option', [raise(own)], { thrown: undefined }, /^INTERNAL_ERROR 500 .*error id.*, logged 1$/],
  ])(proves('failure.thrown', '%s'), async (_title, raising, options, expected) => {
    const { lines, log } = recorder();
    const app = createApp({ ...masked, log, thrown, functions: raising as never, ...options });
    const request = new Request(`http://localhost/functions/${app.functions[0]!.name}`, { method: 'POST' });
    const response = await app.fetch(request);
    const { error } = (await response.json()) as { error: string };
    const said = `${response.headers.get('everywire-error-code')} ${response.status} ${error}, logged ${lines.length}`;
    expect(said).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  });

  it(proves('failure.thrown', 'are in the OpenAPI document, and stored with tasks'), async () => {
    const app = createApp({ ...masked, thrown, functions: [raise(own)] });
    const document = await (await app.fetch(new Request('http://localhost/openapi.json'))).text();
    expect(JSON.parse(document).paths['/functions/Raise'].post.responses).toHaveProperty('409');
    const { outcome } = await app.respond({ name: 'Raise', fn: app.functions[0], input: {}, caller: { wire: 'test' } });
    const restored = fromStored(JSON.parse(JSON.stringify(toStored(outcome))) as never);
    expect(problem.render(restored as never, app.functions[0]!)).toMatchObject({ status: 423, code: 'CLOSED' });
  });

  it(proves('failure.thrown', 'that cannot be meant are refused'), () => {
    const NOT_OWN =
      'is also the class of errors that are not for callers, such as those of Node; use a class of your own';
    expect(problemsOf({ thrown: 1 })).toEqual(['thrown must be { classes, ownCodes }']);
    expect(
      problemsOf({ thrown: { ownCodes: [Error, 'TypeError', 1], classes: { A: { description: 'A' } }, class: {} } }),
    ).toEqual([
      'thrown: unknown option "class"',
      'thrown.classes: "A" has no class',
      `thrown.ownCodes: Error ${NOT_OWN}`,
      `thrown.ownCodes: TypeError ${NOT_OWN}`,
      'thrown.ownCodes must be a list of classes, or of their names',
    ]);
    expect(problemsOf({ thrown: { ownCodes: null, classes: null } })).toHaveLength(2);
  });
});

it('a deprecated function is marked in the OpenAPI document, and in every description', async () => {
  const definition = { name: 'Old', description: 'Adds', run: () => {} };
  const app = createApp({ name: 'Trip', version: '1', functions: [{ ...definition, deprecated: true }] });
  expect(app.functions[0]!.description).toBe('Deprecated. Adds');
  const document = (await (await app.fetch(new Request('http://localhost/openapi.json'))).json()) as {
    paths: Record<string, { post: object }>;
  };
  expect(document.paths['/functions/Old']!.post).toMatchObject({ description: 'Deprecated. Adds', deprecated: true });
  const wrong = [{ ...definition, deprecated: 'yes' as never }];
  expect(() => createApp({ name: 'Trip', version: '1', functions: wrong })).toThrow('deprecated must be true or false');
});
