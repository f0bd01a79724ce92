import { ProtocolError, createRequestStateCodec } from '@modelcontextprotocol/server';
import type { RequestStateCodec, ServerContext } from '@modelcontextprotocol/server';
import { canonicalJson } from '../../../schema/canonical-json.ts';
import { hexDigest } from '../../../schema/hex-digest.ts';
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
  readonly verify: RequestStateCodec<SavedState>['verify'];
  save(call: IdentifiedCall, answers: Answers, askOwner: AskOwner, context: ServerContext): Promise<string>;
  /** Throws if the state belongs to another call, or to the call of somebody else. */
  load(call: IdentifiedCall, askOwner: AskOwner, context: ServerContext): Promise<Answers>;
}

/** Signs and verifies states. */
export type Signer = RequestStateCodec<SavedState>;

/** Without a secret, a random key is used, which other processes do not know. */
export function createSigner(secret: string | undefined): Signer {
  const key = secret ?? crypto.getRandomValues(new Uint8Array(32));
  return createRequestStateCodec<SavedState>({ key, ttlSeconds: 600 });
}

export function createRequestState(signer: Signer): RequestState {
  return {
    verify: (state, context) => signer.verify(state, context),
    async save(call, answers, askOwner, context) {
      const owner = (await askOwner()) ?? '';
      return signer.mint({ answers, call: await fingerprint(context.mcpReq.method, call, owner) }, context);
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
const fingerprint = (method: string, { name, input }: IdentifiedCall, owner: string) =>
  hexDigest(canonicalJson([owner, method, name, input ?? {}]));
