import type { AppShare } from '../../../app/app-share.ts';
import { createSigner } from './request-state.ts';
import type { Signer } from './request-state.ts';

const KEY = 'mcp-secret';
const DAY = 86_400_000;

interface Known {
  readonly secret: string;
  readonly signer: Signer;
}

/** Signs with a random secret that all processes of the app share. */
export class SharedSigner implements Signer {
  #known: Known | undefined;

  constructor(private readonly share: AppShare) {}

  /** Rejects with a Failure if the secret is not known and cannot be asked for. */
  async prepare(): Promise<void> {
    if (!this.#known) await this.#ask();
  }

  async mint(...given: Parameters<Signer['mint']>): Promise<string> {
    return (await this.#ask()).signer.mint(...given);
  }

  async verify(...given: Parameters<Signer['verify']>): ReturnType<Signer['verify']> {
    const known = this.#known ?? (await this.#ask());
    try {
      return await known.signer.verify(...given);
    } catch (thrown) {
      // Another process may have made another one meanwhile, because Redis had lost it.
      const { secret, signer } = await this.#ask();
      if (secret === known.secret) throw thrown;
      return signer.verify(...given);
    }
  }

  /** If Redis has lost the secret, the first process that asks brings it back, or makes another. If it is away: the known one. */
  async #ask(): Promise<Known> {
    const known = this.#known;
    try {
      const secret = await (await this.share.state()).add(KEY, known?.secret ?? randomSecret(), DAY);
      if (this.#known?.secret !== secret) this.#known = { secret, signer: createSigner(secret) };
      return this.#known;
    } catch (thrown) {
      if (!known) throw thrown;
      return known;
    }
  }
}

function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
