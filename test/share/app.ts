import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, defineFunction, defineResource, definePrompt } from 'everywire';
import type { App } from 'everywire';
import { apiKeys } from 'everywire/access';

const text = { type: 'string', description: 'Text' } as const;
const hashOf = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex')}`;
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
    defineFunction({
      name: 'Where',
      description: 'Which process answers',
      output: { type: 'integer', description: 'Its id' },
      run: () => id,
    }),
    defineFunction({
      name: 'Confirm',
      description: 'Asks before it answers',
      input: { type: 'object', properties: { what: text }, required: ['what'] },
      output: text,
      run: async ({ what }, context) => {
        const { yes } = await context.ask(
          { type: 'object', properties: { yes: { type: 'boolean', description: 'Sure' } }, required: ['yes'] },
          `Really ${what}?`,
        );
        return `${what} ${yes} ${id}`;
      },
    }),
    defineFunction({
      name: 'Slow',
      description: 'Waits until it is cancelled, or for half a minute',
      input: { type: 'object', properties: { label: text }, required: ['label'] },
      output: text,
      run: async ({ label }, context) => {
        note(`began ${label}`);
        try {
          await sleep(25_000, undefined, { signal: context.signal });
          return 'done';
        } catch (thrown) {
          note(`cancelled ${label}`);
          throw thrown;
        }
      },
    }),
    defineFunction({
      name: 'Talk',
      description: 'Logs',
      output: text,
      run: (_, context) => {
        context.log.debug('a detail');
        context.log.error('a problem');
        return 'said';
      },
    }),
    defineFunction({
      name: 'Change',
      description: 'Announces a change',
      input: { type: 'object', properties: { kind: text, uri: text } },
      output: { type: 'integer', description: 'The process' },
      run: ({ kind, uri }) => {
        if (uri !== undefined) app.changes.resourceUpdated(uri);
        else app.changes.listChanged(kind as 'tools');
        return id;
      },
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
    ...(withKeys && {
      access: {
        authenticators: [
          apiKeys({ keys: { [hashOf('key-of-ann')]: { id: 'ann' }, [hashOf('key-of-bob')]: { id: 'bob' } } }),
        ],
      },
    }),
  }) as never;
  return app;
}

export default createShared();
