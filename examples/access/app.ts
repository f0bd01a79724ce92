import { createApp, defineFunction } from 'everywire';
import { apiKeys } from 'everywire/access';
import { z } from 'zod';

const about = defineFunction({
  name: 'About',
  description: 'What this is',
  scopes: 'public',
  output: z.string().describe('A sentence'),
  run: () => 'Notes of a team',
});

/** Says nothing about scopes: those of the app apply. */
const list = defineFunction({
  name: 'List',
  description: 'All notes',
  hints: { readOnly: true },
  output: z.array(z.string()).describe('The notes'),
  run: () => ['Buy milk'],
});

const write = defineFunction({
  name: 'Write',
  description: 'Writes a note',
  scopes: ['notes:write'],
  input: z.object({ text: z.string().min(1).describe('The note') }),
  output: z.object({ text: z.string(), author: z.string() }).describe('The note'),
  run: ({ text }, { principal }) => ({ text, author: principal.id }),
});

/** The keys are "reader-key" and "writer-key"; the app has only their SHA-256. Real ones are long and random. */
const keys = {
  'sha256:ec4408df15da46b328f6f3246fa723d0aa6cb0f0a0dd9c4626080ab1b02aa3b2': { id: 'rita', scopes: ['notes:read'] },
  'sha256:3aec1946afb01344ae0065f3b123820a2144e455c13e5816dbd439e6634f7f26': { id: 'will', scopes: ['notes:write'] },
};

export default createApp({
  name: 'Notes',
  version: '1.0.0',
  functions: [about, list, write],
  access: {
    authenticators: [apiKeys({ keys })],
    scopes: ['notes:read'], // of functions that do not say what they need
    implies: { 'notes:write': ['notes:read'] }, // who may write may read
    local: { id: 'me', scopes: ['*'] }, // on the command line, over stdio and in process, without a credential
  },
});
