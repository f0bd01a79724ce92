import { server } from '../fastmcp.mjs';

await server.start({ transportType: 'stdio' });
