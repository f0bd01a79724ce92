import { Failure, createApp, definePrompt, defineResource } from 'everywire';
import { fn, integer, object, silent, string } from '../kit/functions.ts';

const output = integer;
const words = { type: 'array', items: { type: 'string' }, description: 'The words' } as const;

/** Functions whose calls end in every possible way. Without resources, a handshake over HTTP needs no session. */
export const options = {
  name: 'Messages',
  version: '1.0.0',
  description: 'Ends in every way',
  secret: 'a secret that all servers of this app share',
  errors: 'shown' as const,
  log: silent,
  functions: [
    fn('Add', { input: object({ x: integer, y: integer }), output }, ({ x, y }) => x + y),
    fn('Split', { input: object({ text: string }), outputs: [words, integer] }, ({ text }) => {
      return [text.split(' '), text.split(' ').length];
    }),
    fn('Nothing', {}, () => {}),
    fn('Fail', { input: object({ code: string }) }, ({ code }) => {
      throw new Failure(code, 'As you wish', { details: { asked: code } });
    }),
    fn('Throw', {}, () => {
      throw new Error('boom "quoted"');
    }),
    fn('Lie', { output }, () => 'no number'),
    fn('Later', { input: object({ x: integer }), output }, async ({ x }) => Promise.resolve(x)),
    fn('Log', { output }, (_, { log }) => {
      log.debug('little');
      log.warn('much', { of: 'it' });
      log.info('what no JSON can carry', { big: 1n });
      return 1;
    }),
    fn('Ask', { output }, async (_, { ask }) => (await ask(object({ y: integer }), 'How many?')).y),
    fn('Picture', { output }, (_, { attach }) => {
      attach({ type: 'image', data: 'AAAA', mimeType: 'image/png' });
      return 1;
    }),
    fn('Words', { output, describe: (count) => `It is ${count}` }, () => 1),
  ],
};

export default createApp({
  ...options,
  resources: [
    defineResource({ name: 'word', uri: 'words://{word}', description: 'A word', read: ({ word }) => `It is ${word}` }),
  ],
  prompts: [definePrompt({ name: 'greet', description: 'Greets', run: () => 'Hello' })],
});
