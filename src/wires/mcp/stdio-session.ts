import { quietly } from '../../core/safely.ts';
import { isRecord } from '../../schema/json-schema.ts';
import { recognize } from './fast-path/parse-request.ts';
import type { Asked, Era } from './fast-path/parse-request.ts';
import { createLane } from './fast-path/fast-path.ts';
import type { Lane, Said } from './fast-path/fast-path.ts';
import type { Lines } from './line-transport.ts';
import { LEVELS, SEVERITY, logged } from './log-levels.ts';
import { INTERNAL_ERROR, SERVER_ERROR, errorResponse, invalidRequest, isId, notificationText } from './jsonrpc.ts';
import type { Message, MessageId } from './jsonrpc.ts';
import type { Offer } from './catalog.ts';
import type { OfficialStdio } from './sdk/stdio.ts';
import type { Rounds } from './elicitation.ts';

type Capabilities = Readonly<Record<string, unknown>>;

/**
 * One connection: the lane answers what it knows, and the official server is woken for the rest. It is then told what
 * it has missed, so that it knows whom it talks to.
 */
export class Conversation {
  readonly #lane: Lane;
  /** Which revision is spoken, once that is decided; and whether the official server decided it. */
  #era: Era | 'official' | undefined;
  /** What the official server would have missed, by what it is: of each only the last. */
  readonly #opening = new Map<string, Message>();
  #official: Promise<OfficialStdio> | undefined;
  #isAwake = false;
  /** Calls under way on the lane, with what ends them. */
  readonly #running = new Map<MessageId, () => void>();
  /** Questions of calls that were begun on the lane, for the official server to ask. */
  readonly #questions = new Map<MessageId, Rounds>();
  #capabilities: Capabilities | undefined;
  /** What the official server asks the client, and is not answered yet. */
  readonly #asking = new Set<MessageId>();
  /** Requests that go on for as long as the connection does: nobody waits for their answers. */
  readonly #subscriptions = new Set<MessageId>();
  #isDeaf = false;
  /** From which on the client hears what is logged; undefined when only the official server knows. */
  #level: number | undefined = 0;

  constructor(
    private readonly offer: Offer,
    private readonly lines: Lines,
    /** Told what went wrong here, and is nobody's mistake who could be answered. */
    private readonly onError: (thrown: unknown) => void,
  ) {
    this.#lane = createLane(offer);
  }

  start(): void {
    const { lines } = this;
    // The official server tells of changes by itself, once it is awake.
    const forget = this.offer.app.changes.listen(({ kind }) => {
      if (this.#era === 'legacy' && !this.#isAwake && kind !== 'resource')
        lines.announce(notificationText(`notifications/${kind}/list_changed`));
    });
    lines.onMessage = (message) => this.#hear(message);
    lines.onEnd = () => {
      this.#isDeaf = true;
      for (const id of this.#asking) this.#giveUpAsking(id);
    };
    lines.onClose = async () => {
      forget();
      for (const end of this.#running.values()) end();
      // If it could not be loaded, whoever needed it has been told.
      await this.#official?.then((official) => official.close()).catch(() => {});
    };
    lines.start();
  }

  #hear(message: Message): void {
    const { id, method } = message;
    if (method !== undefined && this.#subscriptions.has(id as MessageId))
      return this.lines.refuse(invalidRequest(id as MessageId, 'a subscription has this id'));
    const asked = recognize(message);
    if (asked && this.#takes(asked)) return this.#answer(asked, message);
    if (method === undefined) return this.#hearAnswer(message);
    if (method === 'notifications/cancelled') return this.#cancel(message);
    if (method === 'logging/setLevel' && !asked) this.#level = undefined;
    if (method === 'notifications/initialized' && this.#era === 'legacy' && !this.#official)
      this.#opening.set(method, message);
    else this.#leave(message);
  }

  #hearAnswer(message: Message): void {
    if (this.#asking.size === 0) return; // nobody asked
    this.#asking.delete(Number(message['id'])); // the SDK counts its questions, and takes the number as text, too
    this.#leave(message);
  }

  #takes({ id, era, method, params }: Asked): boolean {
    if (this.#running.has(id)) return false; // two calls of one name: whoever mixes them up should be the official server
    if (method === 'initialize') return this.#era === undefined;
    if (method === 'server/discover') return this.#era === undefined || this.#era === 'modern';
    if (era === 'modern') return this.#era === undefined || this.#era === 'modern';
    if (this.#era !== 'legacy') return false;
    if (method === 'tools/call') return this.#level !== undefined;
    if (method !== 'logging/setLevel') return true;
    this.#level = SEVERITY.indexOf(params['level'] as string);
    return !this.#official;
  }

  #answer(asked: Asked, message: Message): void {
    if (this.#era === undefined) this.#decide(asked, message);
    else if (asked.method === 'logging/setLevel') this.#opening.set(asked.method, message);
    try {
      const said = this.#lane.answer(
        asked,
        {
          onLeave: (end) => this.#running.set(asked.id, () => end()),
          onLog: asked.era === 'legacy' ? this.#log : undefined,
        },
        this.#capabilities,
      );
      if (!(said instanceof Promise)) return this.#say(said, message);
      this.lines.expect(asked.id);
      void this.#sayLater(said, message, asked.id);
    } catch (thrown) {
      this.#fail(thrown, asked.id);
    }
  }

  async #sayLater(said: Promise<Said>, message: Message, id: MessageId): Promise<void> {
    try {
      const late = await said;
      // A call that was cancelled is not answered.
      if (!this.#running.delete(id) || !this.lines.expects(id)) return;
      this.#say(late, message);
    } catch (thrown) {
      this.#fail(thrown, id);
    }
    this.lines.settle(id);
  }

  /** An answer that cannot be written, such as one longer than the longest string. */
  #fail(thrown: unknown, id: MessageId): void {
    this.onError(thrown);
    this.lines.refuse(errorResponse(id, { code: INTERNAL_ERROR, message: 'Internal error' }));
  }

  /** The first request says which revision is spoken; asking for what there is does not. */
  #decide({ era, method, params, meta }: Asked, message: Message): void {
    if (method === 'server/discover') return;
    this.#era = era;
    this.#capabilities = params['capabilities'] as Capabilities | undefined;
    // What was called must not be called again: a list says as well who is there.
    const begun = method === 'initialize' ? message : { jsonrpc: '2.0', method: 'tools/list', params: { _meta: meta } };
    this.#opening.set('initialize', begun);
  }

  #say(said: Said, message: Message): void {
    if (typeof said === 'string') return this.lines.write(said);
    if (said) this.#questions.set(message['id'] as MessageId, said);
    this.#leave(message);
  }

  /** Ends a call under way; there is nothing to do for one that is done. */
  #cancel(message: Message): void {
    const id = cancelledIn(message['params']);
    if (id === undefined || !(this.lines.expects(id) || this.#subscriptions.has(id))) return;
    const end = this.#running.get(id);
    if (end) {
      this.#running.delete(id);
      end();
    } else this.#leave(message);
    this.#subscriptions.delete(id);
    this.lines.settle(id); // what is cancelled is not answered
  }

  #leave(message: Message): void {
    const { id, method } = message;
    this.#era ??= 'official';
    if (method !== undefined && isId(id)) this.lines.expect(id);
    this.#official ??= this.#wake();
    this.#official
      .then((official) => official.hear(message))
      .catch((thrown: unknown) => {
        if (method === undefined || !isId(id)) return this.onError(thrown);
        this.#fail(thrown, id);
        this.lines.settle(id);
      });
  }

  async #wake(): Promise<OfficialStdio> {
    const { openOfficialStdio } = await import('./sdk/stdio.ts');
    const opening = [...this.#opening.values()];
    const official = await openOfficialStdio(this.offer, opening, this.#questions, (said) => this.#pass(said));
    this.#isAwake = true;
    return official;
  }

  /** What the official server says. */
  #pass(message: Message): void {
    const { id, method, params } = message;
    if (method === undefined) return this.#passAnswer(message);
    const text = JSON.stringify(message);
    if (method === 'notifications/message' || method === 'notifications/progress') return this.lines.mention(text);
    if (!isId(id)) this.lines.announce(text);
    else {
      this.#asking.add(id);
      this.lines.write(text);
      if (this.#isDeaf) this.#giveUpAsking(id);
    }
    if (method === 'notifications/subscriptions/acknowledged') this.#subscribe(params);
  }

  /** Every request is answered once, and not at all if it was cancelled. */
  #passAnswer(message: Message): void {
    const { id } = message;
    if (!isId(id)) return this.lines.write(JSON.stringify(message));
    if (!this.#subscriptions.delete(id) && !this.lines.expects(id)) return;
    try {
      this.lines.write(JSON.stringify(message));
    } catch (thrown) {
      this.#fail(thrown, id);
    }
    this.lines.settle(id);
  }

  #subscribe(params: unknown): void {
    const meta = isRecord(params) ? params['_meta'] : undefined;
    const id = isRecord(meta) ? meta[SUBSCRIPTION] : undefined;
    if (!isId(id) || !this.lines.expects(id)) return;
    this.#subscriptions.add(id);
    this.lines.settle(id);
  }

  /** Who has ended the input can answer no question; the call that asks must not wait for it. */
  #giveUpAsking(id: MessageId): void {
    this.#leave({ ...errorResponse(id, { code: SERVER_ERROR, message: 'The client has ended its input' }) });
  }

  readonly #log = (level: keyof typeof LEVELS, text: string, fields: object | undefined): void => {
    if (SEVERITY.indexOf(LEVELS[level]) < this.#level!) return;
    // What cannot be written must not fail the call that logs it.
    const params = () => ({ level: LEVELS[level], data: logged(text, fields), logger: this.offer.app.name });
    quietly(() => this.lines.mention(notificationText('notifications/message', params())));
  };
}

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** Which request a notification cancels, as far as the SDK would take it for one that does. */
function cancelledIn(params: unknown): MessageId | undefined {
  if (!isRecord(params)) return undefined;
  const { requestId, reason } = params;
  return isId(requestId) && (reason === undefined || typeof reason === 'string') ? requestId : undefined;
}
