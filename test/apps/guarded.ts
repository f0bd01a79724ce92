import { createHash } from 'node:crypto';
import { createApp, defineFunction, definePrompt, defineResource } from 'everywire';
import { apiKeys, jwt } from 'everywire/access';
import type { KeySet } from 'everywire/access';
import { API_KEY, AUDIENCE, ISSUER } from '../access/matrix/names.ts';

// What test/access/matrix calls on every wire. The keys of its issuer are new in each run, and so come from outside.

const scopes = ['write'];

const write = defineFunction({
  name: 'Write',
  description: 'Writes a note',
  scopes,
  input: { type: 'object', properties: { text: { type: 'string', description: 'The note' } }, required: ['text'] },
  output: { type: 'string', description: 'The note' },
  run: ({ text }) => text,
});

export default createApp({
  name: 'Guarded',
  version: '1.0.0',
  functions: [write],
  resources: [defineResource({ uri: 'note://one', name: 'one', description: 'A note', scopes, read: () => 'A note' })],
  prompts: [definePrompt({ name: 'Greet', description: 'Greets', scopes, run: () => 'Hello' })],
  access: {
    authenticators: [
      apiKeys({
        keys: { [`sha256:${createHash('sha256').update(API_KEY).digest('hex')}`]: { id: 'ci', scopes: ['write'] } },
      }),
      jwt({ issuer: ISSUER, audience: AUDIENCE, jwks: JSON.parse(process.env['GUARDED_JWKS']!) as KeySet }),
    ],
    implies: { admin: ['write'] },
  },
});
