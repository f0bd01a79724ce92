import { createApp } from 'everywire';
import { apiKeys } from 'everywire/access';
import { fn, hashOf, silent, string } from '../kit/functions.ts';

const SCOPES = ['everywire:console'];

/** The user of this machine may do everything; callers over HTTP may not be that user. */
export default createApp({
  name: 'Access',
  version: '1.0.0',
  functions: [fn('WhoAmI', { output: string, scopes: [] }, (_, { principal }) => principal?.id ?? 'nobody')],
  access: {
    authenticators: [
      apiKeys({
        keys: {
          [hashOf('watcher-key')]: { id: 'watcher', scopes: SCOPES },
          // A key is any text, also one that reads like a word of ours.
          [hashOf('none')]: { id: 'none', scopes: SCOPES },
          [hashOf('reader-key')]: { id: 'reader', scopes: ['read'] },
        },
      }),
    ],
    local: { id: 'owner', scopes: ['*'] },
  },
  log: silent,
});
