import { forms } from 'everywire';
import { parameter } from './case.ts';

const uri = { type: 'string', format: 'uri', 'x-shape': 'url' };

export const known = [
  parameter('Date', forms.date, ['2020-01-01T00:00:00Z'], [1, 'yesterday']),
  parameter('Date | null', { anyOf: [forms.date, { type: 'null' }] }, ['2020-01-01T00:00:00Z', null], ['x']),
  parameter('Uint8Array', forms.bytes, ['AQID', ''], [1, '!']),
  parameter('ArrayBuffer', { ...forms.bytes, 'x-shape': 'array-buffer' }, ['AQID'], [1]),
  parameter(
    'Map<number, string>',
    {
      type: 'array',
      items: {
        type: 'array',
        prefixItems: [{ type: 'number' }, { type: 'string' }],
        items: false,
        minItems: 2,
        maxItems: 2,
      },
      'x-shape': 'entries',
    },
    [[[1, 'a']]],
    [[['a', 1]], {}],
  ),
  parameter('URL', uri, ['https://a.example/'], [1]),
  parameter('File', forms.file, [{ data: 'AQID' }], [{}, 'a']),
  parameter(
    '{ at: Date; size: bigint }',
    {
      type: 'object',
      properties: { at: forms.date, size: { type: 'string', pattern: '^-?[0-9]+$', 'x-everywire': 'bigint' } },
      required: ['at', 'size'],
    },
    [{ at: '2020-01-01T00:00:00Z', size: '1' }],
    [{ at: 1, size: '1' }],
  ),
];
