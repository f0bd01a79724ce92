import { StdioTransport } from '@tmcp/transport-stdio';
import { server } from '../tmcp.mjs';

new StdioTransport(server).listen();
