import { createApp, defineFunction } from 'everywire';
import type { Context, JsonSchema } from 'everywire';

const value = { description: 'What arrived' } as const;
const said = (description: string) => ({ description }) as const;

/** Gives back what it was given, so that a test sees exactly what reached the handler. */
const echo = (name: string, properties: NonNullable<JsonSchema['properties']>, required: readonly string[]) =>
  defineFunction({
    name,
    description: `Echoes ${name}`,
    input: { type: 'object', properties, required },
    output: value,
    run: (input) => input,
  });

export default createApp({
  name: 'Arguments',
  version: '1.0.0',
  functions: [
    echo('Integer', { n: { type: 'integer', ...said('An integer') } }, ['n']),
    echo('Number', { n: { type: 'number', ...said('A number') } }, ['n']),
    echo('Boolean', { b: { type: 'boolean', ...said('A boolean') } }, ['b']),
    echo('Text', { text: { type: 'string', ...said('A text') } }, ['text']),
    echo('TextOrNumber', { v: { type: ['string', 'integer'], ...said('Either') } }, ['v']),
    echo('AnyOf', { v: { anyOf: [{ type: 'integer' }, { type: 'null' }], ...said('An integer or null') } }, ['v']),
    echo('Optional', { n: { type: 'integer', ...said('May be left out') } }, []),
    echo('Nullable', { n: { type: ['integer', 'null'], ...said('May be null') } }, []),
    echo(
      'Nested',
      {
        place: {
          type: 'object',
          ...said('A place'),
          properties: {
            lat: { type: 'number' },
            lon: { type: 'number' },
            tags: { type: 'array', items: { type: 'integer' } },
          },
          required: ['lat', 'lon'],
        },
      },
      ['place'],
    ),
    echo('List', { list: { type: 'array', items: {}, ...said('Anything, in a list') } }, []),
    echo('Record', { data: { type: 'object', ...said('Any object') } }, ['data']),
    echo('Two', { first: { type: 'integer', ...said('One') }, second: { type: 'integer', ...said('Two') } }, [
      'first',
      'second',
    ]),
    echo(
      'Unit',
      { unit: { enum: ['C', 'F'], ...said('A unit') }, at: { type: 'string', format: 'date-time', ...said('When') } },
      ['unit'],
    ),
    echo('Default', { unit: { type: 'string', default: 'C', ...said('A unit') } }, []),
    defineFunction({
      name: 'Open',
      description: 'Takes any arguments',
      input: { type: 'object', properties: {}, additionalProperties: true },
      output: value,
      run: (input) => input,
    }),
    defineFunction({
      name: 'Exact',
      description: 'Takes arguments as they come',
      coerce: false,
      input: { type: 'object', properties: { n: { type: 'integer', description: 'An integer' } }, required: ['n'] },
      output: value,
      run: (input) => input,
    }),
    defineFunction({
      name: 'Trace',
      description: 'Tells what was repaired',
      input: {
        type: 'object',
        properties: {
          n: { type: 'integer', description: 'An integer' },
          b: { type: 'boolean', description: 'A boolean' },
          o: { type: 'object', properties: { k: { type: 'integer' } }, description: 'An object' },
          m: { type: 'integer', description: 'Optional' },
        },
        required: ['n'],
      },
      output: value,
      run: (_input, { repairs }: Context) => repairs.map(({ pointer, did }) => `${pointer} ${did}`),
    }),
  ],
});
