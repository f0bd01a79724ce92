import type { AddressInfo } from 'node:net';
import type { Contract } from '../../contract/contract.ts';
import type { SharedState } from '../../share/shared-state.ts';

/** What the process that the user started tells one that runs a version of the app. */
export type DevOrder =
  /** `address` is where the user's process listens; `path` is where this one must. */
  | { readonly everywire: 'serve'; readonly address: AddressInfo; readonly path: string }
  | { readonly everywire: 'announce'; readonly kinds: readonly ListKind[] }
  | { readonly everywire: 'end' }
  | { readonly everywire: 'state-answer'; readonly id: number; readonly value?: unknown }
  | { readonly everywire: 'published'; readonly channel: string; readonly message: string };

/** What a process that runs a version tells the one that the user started. */
export type DevReport =
  /** What the version consists of, as far as it is known. Files that do not exist are those that were looked for. */
  | { readonly everywire: 'files'; readonly files: readonly string[] }
  /** The app needs a variable that was not passed. */
  | { readonly everywire: 'variable-missing' }
  /** The app is started, and waits for `serve`. */
  | { readonly everywire: 'started' }
  | ({ readonly everywire: 'serving' } & DevServing)
  | {
      readonly everywire: 'state';
      readonly id: number;
      readonly method: StateMethod;
      readonly given: readonly unknown[];
    };

export type ListKind = 'tools' | 'prompts' | 'resources';

export interface DevServing {
  readonly contract: Contract;
  readonly greeting: string;
  readonly warning: string | undefined;
  /** The limit of the app, in milliseconds. */
  readonly drain: number;
}

/** What is called in the other process. Those that listen are sent there as `subscribe` with the name of the channel alone. */
export type StateMethod = Exclude<keyof SharedState, 'listening' | 'close'>;

/** The code of an app may send and receive messages of its own. */
export const isDevOrder = (message: unknown): message is DevOrder => isOurs(message);
export const isDevReport = (message: unknown): message is DevReport => isOurs(message);

const isOurs = (message: unknown) => typeof message === 'object' && message !== null && 'everywire' in message;
