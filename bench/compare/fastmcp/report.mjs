import { FastMCP } from 'fastmcp';
import { z } from 'zod';
import { salesOf } from '../business/sales.mjs';

const server = new FastMCP({ name: 'Shop', version: '1.0.0' });

server.addTool({
  name: 'report',
  description: 'The sales of each month',
  parameters: z.object({ months: z.int().min(1).max(12).describe('How many months') }),
  execute: async ({ months }, { streamContent }) => {
    const rows = [];
    for await (const row of salesOf(months)) {
      rows.push(row);
      await streamContent({ type: 'text', text: JSON.stringify(row) });
    }
    return JSON.stringify(rows);
  },
});

await server.start({ transportType: 'stdio' });
