import { createApp, definePrompt, defineResource, forms } from 'everywire';
import { apiKeys, custom } from 'everywire/access';
import { fn, hashOf, integer, object, record, string } from '../kit/functions.ts';

const hints = { readOnly: true };
const file = { ...forms.file, description: 'A file' };
const scopes = ['read'];

const whoAmI = fn(
  'WhoAmI',
  { hints, http: { method: 'GET' }, output: record, scopes: 'public' },
  (_, { principal: { id, kind }, caller: { address, scheme, headers, requestId } }) => {
    const variables = Object.keys(process.env).filter((name) => /AUTHORIZATION|API_KEY|TOKEN/.test(name));
    return { id, kind, address, scheme, headers, requestId, variables };
  },
);

const http = { method: 'GET', cacheControl: 'max-age=60' } as const;
const read = fn('Read', { hints, http, input: object({ id: string }), output: string, scopes }, ({ id }) => id);

const write = fn(
  'Write',
  { input: object({ shop: string }), output: string, scopes: ({ shop }) => ['read', `write:${shop}`] },
  ({ shop }, context) => {
    context.progress(1, 1);
    return shop;
  },
);

export const keys = { reader: 'reader-key-1', admin: 'admin-key-1', nobody: 'nobody-key-1' };

export const options = {
  name: 'Access',
  version: '1.0.0',
  functions: [
    whoAmI,
    read,
    write,
    fn('Count', { scopes, yields: integer, output: integer }, async function* () {
      yield 1;
      return 2;
    }),
    fn('Upload', { input: object({ file }), output: integer, scopes }, (input) => input.file.size),
    fn('Download', { output: file, scopes }, () => new File(['secret content'], 'a.txt', { type: 'text/plain' })),
    fn('SignedIn', { output: string }, (_, { principal }) => principal.id),
    fn('Outer', { output: string, scopes: 'public' }, (_, { call }) => call(read, { id: 'nested' })),
  ],
  resources: [
    defineResource({ uri: 'note://one', name: 'one', description: 'A note', scopes: ['read'], read: () => 'A note' }),
  ],
  prompts: [definePrompt({ name: 'Greet', description: 'Greets', scopes: ['read'], run: () => 'Hello' })],
  access: {
    url: 'https://api.example.com/',
    servers: ['https://auth.example.com'],
    authenticators: [
      apiKeys({
        keys: {
          [hashOf(keys.reader)]: { id: 'reader', scopes: ['read'] },
          [hashOf(keys.admin)]: { id: 'admin', scopes: ['admin'] },
          [hashOf(keys.nobody)]: { id: 'nobody' },
        },
      }),
      custom('session', ({ bearer }) => {
        if (bearer === 'down') throw new Error('the session store is down');
        // The same principal as before, with one scope more.
        if (bearer === 'stepped-up') return { id: 'nobody', kind: 'key', scopes: ['read'] };
        return bearer === 'expired' ? { rejected: 'it has "expired" \u2013 sorry' } : undefined;
      }),
    ],
    implies: { admin: ['read', 'write:a'] },
    headers: ['X-Tenant'],
    user: (name: string, type: string) => (name === 'alice' ? { id: `${type}/alice`, scopes: ['read'] } : undefined),
  },
} as const;

export default createApp(options);
