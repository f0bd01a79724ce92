import type { AddressInfo } from 'node:net';
import type { Change } from '../../core/changes.ts';

/** What the main process tells one that serves. Connections come with `connection`. */
export type Order =
  | { readonly everywire: 'serve'; readonly address: AddressInfo; readonly secret: string; readonly processes: number }
  | { readonly everywire: 'connection' | 'retire' | 'drain' }
  | { readonly everywire: 'change'; readonly change: Change };

/** What a process that serves tells the main process. */
export type Report =
  /** The app is started, and waits for `serve`. */
  | { readonly everywire: 'started' }
  | ({ readonly everywire: 'serving' } & Serving)
  /** The connection has arrived; there may be another. */
  | { readonly everywire: 'taken' }
  | { readonly everywire: 'change'; readonly change: Change };

export interface Serving {
  readonly greeting: string;
  readonly warning: string | undefined;
  readonly note: string | undefined;
  /** The limit of the app, in milliseconds. */
  readonly drain: number;
}

/** The code of an app may send and receive messages of its own. */
export const isOrder = (message: unknown): message is Order => isOurs(message);
export const isReport = (message: unknown): message is Report => isOurs(message);

const isOurs = (message: unknown) => typeof message === 'object' && message !== null && 'everywire' in message;
