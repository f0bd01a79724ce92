import { createApp, defineFunction, definePrompt, defineResource } from 'everywire';
import { options as shown } from './access.ts';

const secret = defineFunction({
  name: 'Secret',
  description: 'Has a path of its own',
  scopes: ['read'],
  hints: { readOnly: true },
  http: { method: 'GET', path: '/secrets/{id}' },
  input: { type: 'object', properties: { id: { type: 'string', description: 'The id' } }, required: ['id'] },
  output: { type: 'string', description: 'It' },
  run: ({ id }) => id,
});

/** The app of access.ts, which hides what a caller may not call. */
export const options = {
  ...shown,
  functions: [...shown.functions, secret],
  resources: [
    ...shown.resources,
    defineResource({ uri: 'open://one', name: 'open', description: 'For all', scopes: 'public', read: () => 'Open' }),
    defineResource({
      uri: 'many://{id}',
      name: 'many',
      description: 'Many',
      scopes: ['read'],
      list: () => [{ uri: 'many://1', name: 'first' }],
      complete: { id: () => ['1', '2'] },
      read: ({ id }) => id!,
    }),
  ],
  prompts: [
    ...shown.prompts,
    definePrompt({
      name: 'Draft',
      description: 'Drafts',
      scopes: ['read'],
      input: {
        type: 'object',
        properties: { tone: { type: 'string', enum: ['kind', 'short'], description: 'The tone' } },
      },
      run: () => 'Hello',
    }),
    definePrompt({ name: 'Open', description: 'For all', scopes: 'public', run: () => 'Hello' }),
  ],
  access: { ...shown.access, hide: true },
};

export default createApp(options);
