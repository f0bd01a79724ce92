import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, defineResource, definePrompt, type App } from 'everywire';
import { apiKeys } from 'everywire/access';
import { boolean, fn, hashOf, integer, object, string } from '../kit/functions.ts';

const keys = { [hashOf('key-of-ann')]: { id: 'ann' }, [hashOf('key-of-bob')]: { id: 'bob' } };

interface SharedOptions {
  /** The address of Redis. */
  readonly store?: string;
  /** What `Where` says; otherwise the id of the process. */
  readonly id?: number;
  readonly withKeys?: boolean;
  readonly limits?: { readonly sessions?: number; readonly sessionIdle?: number };
}

/** What calls of `Slow` did, by their labels. Processes write it to the file in LEDGER. */
export const ledger: string[] = [];

function note(line: string): void {
  ledger.push(line);
  const { LEDGER } = process.env;
  if (LEDGER) appendFileSync(LEDGER, `${line}\n`);
}

/** An app that meets others of its kind in Redis. */
export function createShared({ store, id = process.pid, withKeys, limits }: SharedOptions = {}): App {
  const functions = [
    fn('Where', { output: integer }, () => id),
    fn('Confirm', { input: object({ what: string }), output: string }, async ({ what }, { ask }) => {
      const { yes } = await ask(object({ yes: boolean }), `Really ${what}?`);
      return `${what} ${yes} ${id}`;
    }),
    // Waits until it is cancelled, or for half a minute.
    fn('Slow', { input: object({ label: string }), output: string }, async ({ label }, { signal }) => {
      note(`began ${label}`);
      try {
        return await sleep(25_000, 'done', { signal });
      } catch (thrown) {
        note(`cancelled ${label}`);
        throw thrown;
      }
    }),
    fn('Talk', { output: string }, (_, { log }) => {
      log.debug('a detail');
      log.error('a problem');
      return 'said';
    }),
    fn('Change', { input: object({ kind: string, uri: string }, []), output: integer }, ({ kind, uri }) => {
      if (uri !== undefined) app.changes.resourceUpdated(uri);
      else app.changes.listChanged(kind);
      return id;
    }),
  ];

  const app: App = createApp({
    name: 'Shared',
    version: '1',
    functions,
    resources: [defineResource({ uri: 'note://{id}', name: 'note', description: 'A note', read: () => 'text' })],
    prompts: [definePrompt({ name: 'Greet', description: 'A greeting', run: () => 'Hello' })],
    limits: { subscriptions: 30, ...limits },
    ...(store !== undefined && { store }),
    ...(withKeys && { access: { authenticators: [apiKeys({ keys })] } }),
  }) as never;
  return app;
}

export default createShared();
