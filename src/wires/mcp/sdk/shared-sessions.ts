import type { InitializeRequestParams } from '@modelcontextprotocol/server';
import type { AppShare } from '../../../app/app-share.ts';
import type { Limits } from '../../../core/limits.ts';
import { createReceiver } from '../../../share/create-receiver.ts';
import type { Receiver, SharedMessage } from '../../../share/create-receiver.ts';
import { isRecord } from '../../../schema/json-schema.ts';
import type { Message } from '../jsonrpc.ts';
import { SEVERITY } from '../log-levels.ts';
import type { ProcessPlace } from './process-ids.ts';
import type { SharedSubscriptions } from './subscriptions.ts';

/** What happens to a session in one process, and others must know. */
export type SessionEvent =
  /** A message of the client, for the process that waits for it. */
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'ended' }
  /** Its client listens in the sending process from now on. */
  | { readonly kind: 'listens' }
  | { readonly kind: 'subscribed' | 'unsubscribed'; readonly uri: string };

type SessionMessage = SharedMessage & { readonly session: string } & SessionEvent;

/** The copies of sessions in this process. */
export interface SessionCopies {
  onEvent(session: string, event: SessionEvent): void;
  /** Events may have been lost. */
  onMissed(): void;
}

export interface SharedSession {
  /** The parameters of its initialize request. */
  readonly initialize: unknown;
  /** The log level that the client has chosen. */
  readonly level: string | undefined;
}

const CHANNEL = 'mcp';
const URI = 'uri:';

/** Every record has these, also if they are empty. */
const FIELDS = ['initialize', 'owner', 'level'] as const;

/** Characters of what is stored of an initialize request: it is read with every request. */
const MAX_INITIALIZE = 16_384;

/** Milliseconds in which a new session must be used for the first time: opening sessions must not fill the memory of Redis. */
const FIRST_USE = 60_000;

/** The records of sessions, which all processes of an app share, and the messages between these processes. */
export class SharedSessions {
  readonly #receiver: Receiver;
  /** While a session is in use, its record is kept once in a quarter of `sessionIdle`, but not more often than each second. */
  readonly #ttl: number;

  constructor(
    private readonly share: AppShare,
    private readonly limits: Pick<Limits, 'sessionIdle' | 'subscriptions'>,
    copies: SessionCopies,
  ) {
    this.#ttl = Math.max(limits.sessionIdle, 3000);
    this.#receiver = createReceiver<SessionMessage>({
      state: share.state,
      process: share.process,
      channels: [CHANNEL, `${CHANNEL}:${share.process}`],
      onMessage: ({ session, ...event }) => copies.onEvent(session, event),
      onMissed: () => copies.onMissed(),
    });
  }

  /** An empty owner is nobody, yet. */
  async create(session: string, initialize: string, owner: string): Promise<void> {
    const state = await this.#state();
    const ttl = Math.min(this.#ttl, FIRST_USE);
    await state.create(keyOf(session), { initialize, owner, level: '' }, ttl);
  }

  /** For a request in a session. Returns undefined if there is no such session, or if it belongs to somebody else. */
  async use(session: string, caller: string, body: unknown): Promise<SharedSession | undefined> {
    if (!isSessionId(session)) return undefined;
    const state = await this.#state();
    // A client may open a session first, and authenticate when a call is refused.
    const claims = caller === '' ? {} : { owner: caller };
    const [initialize, owner, level] = (await state.keep(keyOf(session), this.#ttl, FIELDS, claims)) ?? [];
    if (initialize === undefined || owner !== caller) return undefined;
    const chosen = levelIn(body);
    if (chosen !== undefined) await state.put(keyOf(session), 'level', chosen, Number.MAX_SAFE_INTEGER);
    return { initialize: JSON.parse(initialize), level: chosen ?? (level || undefined) };
  }

  /** Notes that a session is still in use. */
  async keep(session: string): Promise<void> {
    await (await this.share.state()).keep(keyOf(session), this.#ttl, []);
  }

  subscriptionsOf(session: string): SharedSubscriptions {
    const key = keyOf(session);
    const { share, limits } = this;
    return {
      add: async (uri) => {
        const isAdded = await (await share.state()).put(key, URI + uri, '', FIELDS.length + limits.subscriptions);
        if (isAdded) await this.tell(session, { kind: 'subscribed', uri });
        return isAdded;
      },
      delete: async (uri) => {
        await (await share.state()).remove(key, URI + uri);
        await this.tell(session, { kind: 'unsubscribed', uri });
      },
      read: async () => {
        const names = Object.keys(await (await share.state()).read(key));
        return names.flatMap((name) => (name.startsWith(URI) ? name.slice(URI.length) : []));
      },
    };
  }

  placeOf(session: string): ProcessPlace {
    return {
      process: this.share.process,
      forward: (message, process) => this.tell(session, { kind: 'message', message }, process),
    };
  }

  async end(session: string): Promise<void> {
    await (await this.share.state()).delete(keyOf(session));
    await this.tell(session, { kind: 'ended' });
  }

  /** Tells one process, or all others. */
  async tell(session: string, event: SessionEvent, process?: string): Promise<void> {
    await this.share.send(process === undefined ? CHANNEL : `${CHANNEL}:${process}`, { session, ...event });
  }

  close(): void {
    this.#receiver.close();
  }

  /** Responses of a client may arrive at other processes, so messages from them must arrive here. */
  async #state(): ReturnType<AppShare['state']> {
    await this.#receiver.ready();
    return this.share.state();
  }
}

/** What has to be stored of an initialize request; undefined if it is too large. */
export function toStored({ protocolVersion, capabilities, clientInfo }: InitializeRequestParams): string | undefined {
  const { name, version } = clientInfo;
  const stored = JSON.stringify({ protocolVersion, capabilities, clientInfo: { name, version } });
  return stored.length > MAX_INITIALIZE ? undefined : stored;
}

/** The log level that a request chooses. */
function levelIn(body: unknown): string | undefined {
  const { method, params } = isRecord(body) ? body : {};
  const level = method === 'logging/setLevel' && isRecord(params) ? params['level'] : undefined;
  return SEVERITY.find((known) => known === level);
}

const keyOf = (session: string) => `mcp:${session}`;

/** Ids become keys: no others than those that were generated. */
const isSessionId = (id: string) => /^[0-9a-f-]{36}$/.test(id);
