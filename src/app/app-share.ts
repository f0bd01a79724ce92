import { FrameworkError } from '../core/failure.ts';
import { once } from '../core/once.ts';
import { createQuietReport } from '../core/quiet-report.ts';
import type { Report } from '../core/report.ts';
import type { SharedState } from '../share/shared-state.ts';
import type { AppStore } from './app-store.ts';

/** What the processes of an app share, apart from tasks. */
export interface AppShare {
  /** Whether there is a Redis to share it in, or something else that a host has given. */
  readonly isOn: boolean;
  /** For hosts, before the first call: shares it there, unless the app has a Redis. */
  use(given: SharedState): void;
  /** Identifies this process among those of the app. */
  readonly process: string;
  /** Loads what talks to Redis. Rejects with a Failure if that is impossible. */
  readonly state: () => Promise<SharedState>;
  /** Sends a message, with the name of this process, to all that listen to the channel. */
  send(channel: string, message: object): Promise<void>;
  /** Whether messages are under way: a process that ends now would lose them. */
  readonly isSending: boolean;
  close(): Promise<void>;
}

export function createAppShare(app: string, store: AppStore, report: Report): AppShare {
  /** Not when the app is created: some runtimes have no random numbers before the first request. */
  const processId = once(() => crypto.randomUUID());
  const sending = new Set<Promise<void>>();
  const quiet = createQuietReport(report);
  const onFailure = (thrown: unknown) => void quiet.thrown(thrown, { part: 'share' });
  let loaded: Promise<SharedState> | undefined;
  let given: SharedState | undefined;

  return {
    get isOn() {
      return store.redis !== undefined || given !== undefined;
    },
    use(state) {
      given = state;
    },
    get process() {
      return processId();
    },
    state: () => (loaded ??= load()),
    async send(channel, message) {
      const sent = send(channel, JSON.stringify({ from: processId(), ...message }));
      sending.add(sent);
      await sent.finally(() => sending.delete(sent));
    },
    get isSending() {
      return sending.size > 0;
    },
    async close() {
      await Promise.allSettled(sending);
      const state = await loaded?.catch(() => undefined);
      loaded = undefined;
      state?.close();
    },
  };

  async function load(): Promise<SharedState> {
    if (given && store.redis === undefined) return given;
    try {
      return (await import('#share')).createRedisState(store.redis!, app, onFailure);
    } catch (thrown) {
      loaded = undefined; // the next request tries again
      onFailure(thrown);
      throw new FrameworkError('UNAVAILABLE', 'Nothing can be shared in this process', { retryAfter: 1 });
    }
  }

  async function send(channel: string, message: string): Promise<void> {
    await (await (loaded ??= load())).publish(channel, message);
  }
}
