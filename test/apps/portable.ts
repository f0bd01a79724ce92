import { createApp } from 'everywire';
import { fn, integer, object } from '../kit/functions.ts';

const sum = { input: object({ x: integer, y: integer }), output: integer };
export const add = fn('Add', sum, ({ x, y }) => x + y);

export default createApp({
  name: 'Portable',
  version: '1.0.0',
  names: 'portable',
  functions: [add, fn('Plus', { ...sum, operationId: 'math.plus' }, ({ x, y }) => x + y)],
});
