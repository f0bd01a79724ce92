import { quietly } from '../../core/foreign.ts';
import { isRecord } from '../../schema/json-schema.ts';
import { recognize } from './asked.ts';
import type { Asked, Era } from './asked.ts';
import { createLane } from './lane.ts';
import type { Lane, Said } from './lane.ts';
import { isId } from './lines.ts';
import type { Lines, Message, MessageId } from './lines.ts';
import { LEVELS, SEVERITY, logged } from './logged.ts';
import type { Offer } from './offer.ts';
import type { OfficialStdio } from './official/stdio.ts';
import type { Rounds } from './rounds.ts';

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
  /** From which on the client hears what is logged; undefined when only the official server knows. */
  #level: number | undefined = 0;

  constructor(
    private readonly offer: Offer,
    private readonly lines: Lines,
  ) {
    this.#lane = createLane(offer);
  }

  start(): void {
    const { lines } = this;
    // The official server tells of changes by itself, once it is awake.
    const forget = this.offer.app.changes.listen(({ kind }) => {
      if (this.#era === 'legacy' && !this.#isAwake && kind !== 'resource')
        this.#tell(`notifications/${kind}/list_changed`);
    });
    lines.onMessage = (message) => this.#hear(message);
    lines.onClose = () => {
      forget();
      for (const end of this.#running.values()) end();
      this.#official?.then((official) => official.close()).catch(() => {});
    };
    lines.start();
  }

  #hear(message: Message): void {
    const asked = recognize(message);
    if (asked && this.#takes(asked)) return this.#answer(asked, message);
    const { method, params } = message;
    if (method === undefined && !this.#official) return; // an answer, and nobody asked
    if (method === 'logging/setLevel' && !asked) this.#level = undefined;
    if (method === 'notifications/cancelled' && this.#cancel(params)) return;
    if (method === 'notifications/initialized' && this.#era === 'legacy' && !this.#official)
      this.#opening.set(method, message);
    else this.#leave(message);
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
  }

  async #sayLater(said: Promise<Said>, message: Message, id: MessageId): Promise<void> {
    const late = await said;
    // A call that was cancelled is not answered.
    if (this.#running.delete(id)) this.#say(late, message);
    if (typeof late === 'string') this.lines.settle(id);
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

  #cancel(params: unknown): boolean {
    const id = isRecord(params) ? (params['requestId'] as MessageId) : undefined;
    const end = id === undefined ? undefined : this.#running.get(id);
    if (id !== undefined) this.lines.settle(id); // what is cancelled is not answered
    if (!end) return false;
    this.#running.delete(id!);
    end();
    return true;
  }

  #leave(message: Message): void {
    const { id, method } = message;
    this.#era ??= 'official';
    if (method !== undefined && isId(id)) this.lines.expect(id);
    this.#official ??= this.#wake();
    this.#official
      .then((official) => official.hear(message))
      .catch((thrown: unknown) => {
        this.offer.app.fault(thrown, { part: this.offer.wire });
        if (isId(id)) this.#pass({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error' } });
      });
  }

  async #wake(): Promise<OfficialStdio> {
    const { openOfficialStdio } = await import('./official/stdio.ts');
    const opening = [...this.#opening.values()];
    const official = await openOfficialStdio(this.offer, opening, this.#questions, (answer) => this.#pass(answer));
    this.#isAwake = true;
    return official;
  }

  /** What the official server says. */
  #pass(message: object): void {
    this.lines.write(JSON.stringify(message));
    if (!('method' in message) && 'id' in message && isId(message.id)) this.lines.settle(message.id);
  }

  readonly #log = (level: keyof typeof LEVELS, text: string, fields: object | undefined): void => {
    if (SEVERITY.indexOf(LEVELS[level]) < this.#level!) return;
    // What cannot be written must not fail the call that logs it.
    const params = () => ({ level: LEVELS[level], data: logged(text, fields), logger: this.offer.app.name });
    quietly(() => this.#tell('notifications/message', params()));
  };

  #tell(method: string, params?: object): void {
    this.lines.write(JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) }));
  }
}
