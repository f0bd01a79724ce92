import { createApp, Failure, forms } from 'everywire';
import { fn, object, record, string } from '../kit/functions.ts';

const id = { type: 'string', pattern: '^[A-Z]{2}-[0-9]+$', description: 'The number of the order' } as const;
const parts = { type: 'array', items: { enum: ['lines', 'payments'] }, description: 'What else to show' } as const;
const percent = { type: 'number', exclusiveMinimum: 0, maximum: 10, description: 'By how much' } as const;
const product = { type: 'string', description: 'One product' } as const;
const filters = {
  maxCount: { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'all' }], description: 'How many' },
  since: { ...forms.date, description: 'No older ones' },
  state: { enum: ['open', 'paid'], description: 'Only those' },
  newest_first: { type: 'boolean', default: false, description: 'The newest first' },
} as const;

const list = fn(
  'orders.List',
  {
    description: 'Lists orders',
    input: object(filters, []),
    cli: { short: { maxCount: 'n', newest_first: 'r' } },
    output: { type: 'array', items: record, description: 'The orders' },
  },
  (input) => [
    { id: 'AB-1', total: 10, input: JSON.stringify(input) },
    { id: 'AB-2', total: 2.5, input: '' },
  ],
);

const show = fn(
  'orders.Show',
  {
    description: 'Shows one order',
    input: object({ id, parts }, ['id']),
    cli: { positional: ['id', 'parts'] },
    output: record,
    errors: { NOT_FOUND: { description: 'There is no such order.' } },
  },
  (input) => {
    if (input.id === 'ZZ-0') throw new Failure('NOT_FOUND', 'No such order');
    return input;
  },
);

const archive = { description: 'Lists old orders', tags: ['old'], output: { type: 'array', description: 'Numbers' } };
const prices = { description: 'Lists prices', input: object({ of: product }, []), cli: { positional: ['of'] } };

/** Groups of functions, positional arguments, short flags, and parameters of many kinds. */
export default createApp({
  name: 'Shop',
  version: '1.0.0',
  description: 'Sells things',
  tags: { orders: 'Orders of customers', 'orders.archive': 'Orders of the past' },
  functions: [
    fn('Ping', { description: 'Says whether the shop is open', output: string }, () => 'open'),
    list,
    show,
    fn('orders.archive.List', archive, () => ['AA-1']),
    fn('prices', { ...prices, output: string }, ({ of = 'all' }) => `prices of ${of}`),
    fn('prices.Raise', { description: 'Raises prices', input: object({ percent }), output: percent }, (input) => {
      return input.percent;
    }),
    fn('serve.Tea', { description: 'Serves tea', output: string }, () => 'tea'),
  ],
});
