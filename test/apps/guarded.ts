import { createApp, definePrompt, defineResource } from 'everywire';
import { apiKeys, jwt, type KeySet } from 'everywire/access';
import { API_KEY, AUDIENCE, ISSUER } from '../access/matrix/names.ts';
import { fn, hashOf, object, string } from '../kit/functions.ts';

// What test/access/matrix calls on every wire. The keys of its issuer are new in each run, and so come from outside.

const scopes = ['write'];

export default createApp({
  name: 'Guarded',
  version: '1.0.0',
  functions: [fn('Write', { scopes, input: object({ text: string }), output: string }, ({ text }) => text)],
  resources: [defineResource({ uri: 'note://one', name: 'one', description: 'A note', scopes, read: () => 'A note' })],
  prompts: [definePrompt({ name: 'Greet', description: 'Greets', scopes, run: () => 'Hello' })],
  access: {
    authenticators: [
      apiKeys({ keys: { [hashOf(API_KEY)]: { id: 'ci', scopes } } }),
      jwt({ issuer: ISSUER, audience: AUDIENCE, jwks: JSON.parse(process.env['GUARDED_JWKS']!) as KeySet }),
    ],
    implies: { admin: ['write'] },
  },
});
