import { createApp } from 'everywire';
import { fn, string } from '../kit/functions.ts';

/** Names that no process has. */
export default createApp({
  name: 'Tickets',
  version: '1.0.0',
  env: {
    TICKETS_DB: 'The database',
    TICKETS_LANGUAGE: { description: 'Of messages', default: 'en' },
  },
  functions: [
    fn(
      'Where',
      { output: string, hints: { readOnly: true } },
      (_, { env }) => `${env.get('TICKETS_DB')} in ${env.get('TICKETS_LANGUAGE')}`,
    ),
  ],
});
