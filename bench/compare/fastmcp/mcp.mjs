import { server } from './quote.mjs';

await server.start({ transportType: 'stdio' });
