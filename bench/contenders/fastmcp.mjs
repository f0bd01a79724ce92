import { FastMCP } from 'fastmcp';
import { add } from './add.mjs';
import { input } from './add-zod.mjs';

export const server = new FastMCP({ name: 'Bench', version: '1.0.0' });

server.addTool({
  name: add.name,
  description: add.description,
  parameters: input,
  execute: async ({ x, y }) => String(x + y),
});
