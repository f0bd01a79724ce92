import { createHash } from 'node:crypto';
import { createApp, defineFunction } from 'everywire';
import { apiKeys } from 'everywire/access';
import { z } from 'zod';

/** A principal by the hash of its key. */
const key = (id: string, scopes: readonly string[], text = `${id}-key`) => {
  const hash = createHash('sha256').update(text).digest('hex');
  return { [`sha256:${hash}`]: { id, scopes } };
};

const whoAmI = defineFunction({
  name: 'WhoAmI',
  description: 'Says who calls',
  output: z.string(),
  scopes: [],
  run: (_, { principal }) => principal?.id ?? 'nobody',
});

/** The user of this machine may do everything; callers over HTTP may not be that user. */
export default createApp({
  name: 'Access',
  version: '1.0.0',
  functions: [whoAmI],
  access: {
    authenticators: [
      apiKeys({
        keys: {
          ...key('watcher', ['everywire:console']),
          // A key is any text, also one that reads like a word of ours.
          ...key('none', ['everywire:console'], 'none'),
          ...key('reader', ['read']),
        },
      }),
    ],
    local: { id: 'owner', scopes: ['*'] },
  },
  log: { debug() {}, info() {}, warn() {}, error() {} },
});
