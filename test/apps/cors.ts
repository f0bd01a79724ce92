import { createApp, defineFunction } from 'everywire';

// Rules of CORS, some of which the command line replaces.
const ping = defineFunction({
  name: 'Ping',
  description: 'Responds.',
  output: { type: 'string', description: 'Always pong.' },
  run: () => 'pong',
});

export default createApp({
  name: 'Cors',
  version: '1.0.0',
  functions: [ping],
  cors: { origins: ['https://app.example'], headers: ['X-Tenant'], credentials: true, maxAge: 60 },
});
