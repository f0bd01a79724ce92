import { createApp, defineFunction, Failure, forms } from 'everywire';

const id = { type: 'string', pattern: '^[A-Z]{2}-[0-9]+$', description: 'The number of the order' } as const;

/** Groups of functions, positional arguments, short flags, and parameters of many kinds. */
export default createApp({
  name: 'Shop',
  version: '1.0.0',
  description: 'Sells things',
  tags: { orders: 'Orders of customers', 'orders.archive': 'Orders of the past' },
  functions: [
    defineFunction({
      name: 'Ping',
      description: 'Says whether the shop is open',
      output: { type: 'string', description: 'Always open' },
      run: () => 'open',
    }),
    defineFunction({
      name: 'orders.List',
      description: 'Lists orders',
      input: {
        type: 'object',
        properties: {
          maxCount: { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'all' }], description: 'How many' },
          since: { ...forms.date, description: 'No older ones' },
          state: { enum: ['open', 'paid'], description: 'Only those' },
          newest_first: { type: 'boolean', default: false, description: 'The newest first' },
        },
      },
      cli: { short: { maxCount: 'n', newest_first: 'r' } },
      output: { type: 'array', items: { type: 'object', additionalProperties: true }, description: 'The orders' },
      run: (input) => [
        { id: 'AB-1', total: 10, input: JSON.stringify(input) },
        { id: 'AB-2', total: 2.5, input: '' },
      ],
    }),
    defineFunction({
      name: 'orders.Show',
      description: 'Shows one order',
      input: {
        type: 'object',
        properties: {
          id,
          parts: { type: 'array', items: { enum: ['lines', 'payments'] }, description: 'What else to show' },
        },
        required: ['id'],
      },
      cli: { positional: ['id', 'parts'] },
      output: { type: 'object', additionalProperties: true, description: 'The order' },
      errors: { NOT_FOUND: { description: 'There is no such order.' } },
      run: (input) => {
        if (input.id === 'ZZ-0') throw new Failure('NOT_FOUND', 'No such order');
        return input;
      },
    }),
    defineFunction({
      name: 'orders.archive.List',
      description: 'Lists old orders',
      tags: ['old'],
      output: { type: 'array', items: { type: 'string' }, description: 'Their numbers' },
      run: () => ['AA-1'],
    }),
    defineFunction({
      name: 'prices',
      description: 'Lists prices',
      input: { type: 'object', properties: { of: { type: 'string', description: 'One product' } } },
      cli: { positional: ['of'] },
      output: { type: 'string', description: 'The prices' },
      run: ({ of: product = 'all' }) => `prices of ${product}`,
    }),
    defineFunction({
      name: 'prices.Raise',
      description: 'Raises prices',
      input: {
        type: 'object',
        properties: { percent: { type: 'number', exclusiveMinimum: 0, maximum: 10, description: 'By how much' } },
        required: ['percent'],
      },
      output: { type: 'number', description: 'By how much' },
      run: ({ percent }) => percent,
    }),
    defineFunction({
      name: 'serve.Tea',
      description: 'Serves tea',
      output: { type: 'string', description: 'Tea' },
      run: () => 'tea',
    }),
  ],
});
