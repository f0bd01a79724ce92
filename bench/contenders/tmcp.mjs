import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { McpServer } from 'tmcp';
import { tool } from 'tmcp/utils';
import { add } from './add.mjs';
import { input, output } from './add-zod.mjs';

export const server = new McpServer(
  { name: 'Bench', version: '1.0.0', description: 'Bench' },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
);

server.tool({ name: add.name, description: add.description, schema: input, outputSchema: output }, ({ x, y }) =>
  tool.structured({ result: x + y }),
);
