import { setTimeout as wait } from 'node:timers/promises';
import { createApp } from 'everywire';
import { fn, integer, object, silent, string } from '../kit/functions.ts';

/** What takes long, says much or never ends, for clients that do not read. */
export default createApp({
  name: 'SlowReader',
  version: '1.0.0',
  names: 'portable',
  limits: { drain: Number(process.env['DRAIN'] ?? 10_000) },
  log: silent,
  functions: [
    fn('Echo', { input: object({ text: string }), output: string }, ({ text }) => text),
    fn('Big', { input: object({ length: integer }), output: string }, ({ length }) => 'x'.repeat(length)),
    fn('Wait', { input: object({ ms: integer }), output: integer }, ({ ms }) => wait(ms, ms)),
    fn('Never', { timeout: 0 }, () => new Promise(() => {})),
    // Logs so much, and says on stderr when it has.
    fn('Chatter', { input: object({ megabytes: integer, id: string }), output: integer }, async (input, context) => {
      for (let i = 0; i < input.megabytes; i++) {
        for (let j = 0; j < 100; j++) context.log.info('x'.repeat(10_000));
        context.progress(i);
        await wait(5);
      }
      process.stderr.write(`${input.id} has logged everything\n`);
      return input.megabytes;
    }),
    fn(
      'Ask',
      { timeout: 0, output: integer },
      async (_, { ask }) => (await ask(object({ y: integer }), 'How many?')).y,
    ),
    fn('CloseInput', {}, () => {
      process.stdin.on('data', () => {});
      process.stdin.destroy();
    }),
  ],
});
