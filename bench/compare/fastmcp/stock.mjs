import { FastMCP } from 'fastmcp';
import { z } from 'zod';
import { connect } from '../business/database.mjs';

const database = await connect();
const server = new FastMCP({ name: 'Shop', version: '1.0.0' });

server.addTool({
  name: 'stock',
  description: 'How many pieces are left',
  parameters: z.object({ product: z.enum(['tea', 'mug']).describe('Of what') }),
  execute: async ({ product }) => JSON.stringify({ pieces: await database.stockOf(product) }),
});

await server.start({ transportType: 'httpStream', httpStream: { port: Number(process.env.PORT), stateless: true } });

process.once('SIGTERM', async () => {
  await server.stop();
  await database.close();
});
