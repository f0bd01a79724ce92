import { createApp, definePrompt, defineResource } from 'everywire';
import { fn, object, string } from '../kit/functions.ts';
import { options as shown } from './access.ts';

const scopes = ['read'];
const http = { method: 'GET', path: '/secrets/{id}' } as const;
const input = object({ id: string });
const tone = { type: 'string', enum: ['kind', 'short'], description: 'The tone' } as const;

/** The app of access.ts, which hides what a caller may not call. */
export const options = {
  ...shown,
  functions: [
    ...shown.functions,
    fn('Secret', { scopes, hints: { readOnly: true }, http, input, output: string }, ({ id }) => id),
  ],
  resources: [
    ...shown.resources,
    defineResource({ uri: 'open://one', name: 'open', description: 'For all', scopes: 'public', read: () => 'Open' }),
    defineResource({
      uri: 'many://{id}',
      name: 'many',
      description: 'Many',
      scopes,
      list: () => [{ uri: 'many://1', name: 'first' }],
      complete: { id: () => ['1', '2'] },
      read: ({ id }) => id!,
    }),
  ],
  prompts: [
    ...shown.prompts,
    definePrompt({ name: 'Draft', description: 'Drafts', scopes, input: object({ tone }, []), run: () => 'Hello' }),
    definePrompt({ name: 'Open', description: 'For all', scopes: 'public', run: () => 'Hello' }),
  ],
  access: { ...shown.access, hide: true },
};

export default createApp(options);
