import { createHash } from 'node:crypto';
import { createApp, defineFunction, definePrompt, defineResource, forms } from 'everywire';
import { apiKeys, custom } from 'everywire/access';

const text = { type: 'string', description: 'Text' } as const;
const hashOf = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex')}`;

const whoAmI = defineFunction({
  name: 'WhoAmI',
  description: 'Who calls',
  hints: { readOnly: true },
  http: { method: 'GET' },
  output: { type: 'object', additionalProperties: true, description: 'The principal and the caller' },
  scopes: 'public',
  run: (_, { principal, caller }) => ({
    id: principal.id,
    kind: principal.kind,
    address: caller.address,
    scheme: caller.scheme,
    headers: caller.headers,
    requestId: caller.requestId,
    variables: Object.keys(process.env).filter((name) => /AUTHORIZATION|API_KEY|TOKEN/.test(name)),
  }),
});

const read = defineFunction({
  name: 'Read',
  description: 'Reads',
  hints: { readOnly: true },
  http: { method: 'GET', cacheControl: 'max-age=60' },
  input: { type: 'object', properties: { id: text }, required: ['id'] },
  output: text,
  scopes: ['read'],
  run: ({ id }) => id,
});

const write = defineFunction({
  name: 'Write',
  description: 'Writes',
  input: { type: 'object', properties: { shop: text }, required: ['shop'] },
  output: text,
  scopes: ({ shop }) => ['read', `write:${shop}`],
  run: ({ shop }, context) => {
    context.progress(1, 1);
    return shop;
  },
});

const count = defineFunction({
  name: 'Count',
  description: 'Streams numbers',
  scopes: ['read'],
  yields: { type: 'integer', description: 'A number' },
  output: { type: 'integer', description: 'The last number' },
  async *run() {
    yield 1;
    return 2;
  },
});

const upload = defineFunction({
  name: 'Upload',
  description: 'Takes a file',
  input: {
    type: 'object',
    properties: { file: { ...forms.file, description: 'The file' } },
    required: ['file'],
  },
  output: { type: 'integer', description: 'Its size' },
  scopes: ['read'],
  run: ({ file }) => file.size,
});

const download = defineFunction({
  name: 'Download',
  description: 'Returns a file',
  output: { ...forms.file, description: 'The file' },
  scopes: ['read'],
  run: () => new File(['secret content'], 'a.txt', { type: 'text/plain' }),
});

const signedIn = defineFunction({
  name: 'SignedIn',
  description: 'For everybody who is known',
  output: text,
  run: (_, { principal }) => principal.id,
});

const outer = defineFunction({
  name: 'Outer',
  description: 'Calls Read',
  output: text,
  scopes: 'public',
  run: (_, context) => context.call(read, { id: 'nested' }),
});

export const keys = { reader: 'reader-key-1', admin: 'admin-key-1', nobody: 'nobody-key-1' };

export const options = {
  name: 'Access',
  version: '1.0.0',
  functions: [whoAmI, read, write, count, upload, download, signedIn, outer],
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
