import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../src/app/create-app.ts';
import { ContextFailure, Failure, FrameworkError } from '../../src/core/failure.ts';
import { descriptionOf } from '../../src/schema/description.ts';
import { proves } from '../promises.ts';
import { throwing } from '../kit/parts.ts';

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
    expect([described('Go'), described('Pair'), described('One')]).toEqual([
      'A place',
      'One; The result',
      'The result',
    ]);
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
