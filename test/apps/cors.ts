import { createApp } from 'everywire';
import { fn, string } from '../kit/functions.ts';

// Rules of CORS, some of which the command line replaces.
export default createApp({
  name: 'Cors',
  version: '1.0.0',
  functions: [fn('Ping', { output: string }, () => 'pong')],
  cors: { origins: ['https://app.example'], headers: ['X-Tenant'], credentials: true, maxAge: 60 },
});
