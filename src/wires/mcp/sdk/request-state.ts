import { ProtocolError, createRequestStateCodec } from '@modelcontextprotocol/server';
import type { RequestStateCodec, ServerContext } from '@modelcontextprotocol/server';
import { isRecord } from '../../../schema/json-schema.ts';
import { INVALID_PARAMS } from '../jsonrpc.ts';

type Answers = Readonly<Record<string, unknown>>;

interface SavedState {
  readonly answers: Answers;
  /** The fingerprint of the call, so that answers for one call cannot be used in another. */
  readonly call: string;
}

export interface IdentifiedCall {
  readonly name: string;
  readonly input?: unknown;
}

/** Who makes a call; undefined if its credential is not accepted. Asked only if there is a state. */
type AskOwner = () => Promise<string | undefined>;

/** The answers of earlier elicitation rounds. The client keeps them between the rounds, signed by us. */
export interface RequestState {
  /** Rejects with a Failure if states cannot be signed or verified at the moment. */
  prepare(): Promise<void>;
  readonly verify: RequestStateCodec<SavedState>['verify'];
  save(call: IdentifiedCall, answers: Answers, askOwner: AskOwner, context: ServerContext): Promise<string>;
  /** Throws if the state belongs to another call, or to the call of somebody else. */
  load(call: IdentifiedCall, askOwner: AskOwner, context: ServerContext): Promise<Answers>;
}

/** Returns the key for signing. All processes in which a call may be repeated need the same. */
export type FindSecret = () => Promise<string>;

/** Without a secret, a random key is used, which other processes do not know. */
export function createRequestState(secret: string | FindSecret | undefined): RequestState {
  const createCodec = (key: string | Uint8Array) => createRequestStateCodec<SavedState>({ key, ttlSeconds: 600 });
  const fixed =
    typeof secret === 'function' ? undefined : createCodec(secret ?? crypto.getRandomValues(new Uint8Array(32)));
  let found: { readonly secret: string; readonly codec: RequestStateCodec<SavedState> } | undefined;
  const findCodec = async (find: FindSecret) => {
    const current = await find();
    if (found?.secret !== current) found = { secret: current, codec: createCodec(current) };
    return found.codec;
  };
  const useCodec = async () => fixed ?? findCodec(secret as FindSecret);
  return {
    prepare: async () => void (await useCodec()),
    verify: async (state, context) => (await useCodec()).verify(state, context),
    async save(call, answers, askOwner, context) {
      const owner = (await askOwner()) ?? '';
      const codec = await useCodec();
      return codec.mint({ answers, call: await fingerprint(context.mcpReq.method, call, owner) }, context);
    },
    async load(call, askOwner, context) {
      const saved = context.mcpReq.requestState<SavedState>();
      if (!saved) return {};
      const owner = await askOwner();
      if (owner === undefined) return {}; // the call will be refused
      if (saved.call !== (await fingerprint(context.mcpReq.method, call, owner)))
        throw new ProtocolError(INVALID_PARAMS, 'Invalid or expired requestState', { reason: 'invalid_request_state' });
      return saved.answers;
    },
  };
}

/** Identifies a call by caller, method, name and arguments. The order of keys does not matter. */
async function fingerprint(method: string, { name, input }: IdentifiedCall, owner: string): Promise<string> {
  const text = JSON.stringify([owner, method, name, input ?? {}], (_key, value: unknown) =>
    isRecord(value) ? sortedEntries(value) : value,
  );
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Entries, because a key named `__proto__` would be lost in an object. */
function sortedEntries(record: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Object.keys(record)
    .toSorted()
    .map((key) => [key, record[key]]);
}
