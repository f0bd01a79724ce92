import { createApp, defineFunction } from 'everywire';
import { z } from 'zod';
import { salesOf } from '../business/sales.mjs';

const report = defineFunction({
  name: 'Report',
  description: 'The sales of each month',
  input: z.object({ months: z.int().min(1).max(12).describe('How many months') }),
  run: ({ months }) => salesOf(months),
});

export default createApp({ name: 'Shop', version: '1.0.0', functions: [report] });
