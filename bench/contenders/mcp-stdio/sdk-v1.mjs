import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createServer } from '../sdk-v1.mjs';

await createServer().connect(new StdioServerTransport());
