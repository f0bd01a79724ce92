import { createApp, type JsonSchema } from 'everywire';
import { boolean, fn, integer, object, string } from '../kit/functions.ts';

const output = { description: 'What arrived' };
const number = { type: 'number', description: 'A number' } as const;
const described = (schema: JsonSchema) => ({ ...schema, description: 'It' });
const coordinates = {
  lat: { type: 'number' },
  lon: { type: 'number' },
  tags: { type: 'array', items: { type: 'integer' } },
};
const place = described(object(coordinates as Readonly<Record<string, JsonSchema>>, ['lat', 'lon']));
const traced = { n: integer, b: boolean, o: described(object({ k: { type: 'integer' } }, [])), m: integer };

/** Gives back what it was given, so that a test sees exactly what reached the handler. */
const echo = (name: string, properties: Readonly<Record<string, JsonSchema>>, required?: readonly string[]) =>
  fn(name, { input: object(properties, required), output }, (input) => input);

export default createApp({
  name: 'Arguments',
  version: '1.0.0',
  functions: [
    echo('Integer', { n: integer }),
    echo('Number', { n: number }),
    echo('Boolean', { b: boolean }),
    echo('Text', { text: string }),
    echo('TextOrNumber', { v: described({ type: ['string', 'integer'] }) }),
    echo('AnyOf', { v: described({ anyOf: [{ type: 'integer' }, { type: 'null' }] }) }),
    echo('Optional', { n: integer }, []),
    echo('Nullable', { n: described({ type: ['integer', 'null'] }) }, []),
    echo('Nested', { place }),
    echo('List', { list: described({ type: 'array', items: {} }) }, []),
    echo('Map', { prices: described({ type: 'object', additionalProperties: { type: 'number' } }) }),
    echo('Record', { data: described({ type: 'object' }) }),
    echo('Two', { first: integer, second: integer }),
    echo('Unit', { unit: described({ enum: ['C', 'F'] }), at: { ...string, format: 'date-time' } }, ['unit']),
    echo('Default', { unit: { ...string, default: 'C' } }, []),
    fn('Open', { input: { ...object({}), additionalProperties: true }, output }, (input) => input),
    fn('Exact', { coerce: false, input: object({ n: integer }), output }, (input) => input),
    fn('Trace', { input: object(traced, ['n']), output }, (_, { repairs }) =>
      repairs.map(({ pointer, did }) => `${pointer} ${did}`),
    ),
  ],
});
