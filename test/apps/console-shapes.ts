import { createApp, defineFunction } from 'everywire';
import { $defs, shapes } from '../console/shapes.ts';

/** A function for each shape of a schema, which returns what it was given. */
const functions = shapes.map(({ name, schema }) =>
  defineFunction({
    name,
    description: `Returns its argument (${name})`,
    input: { type: 'object', properties: { value: schema }, required: ['value'], $defs } as never,
    output: { description: 'The argument' } as never,
    hints: { readOnly: true },
    run: (input: unknown) => (input as { value: unknown }).value as never,
  }),
);

export default createApp({ name: 'Shapes', version: '1.0.0', functions, log: quiet() });

function quiet() {
  const none = () => {};
  return { debug: none, info: none, warn: none, error: none };
}
