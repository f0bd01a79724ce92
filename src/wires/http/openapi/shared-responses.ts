import { ComponentNames } from './names.ts';

interface Shared {
  readonly name: string;
  readonly part: object;
}

/** The responses and headers that several operations have. */
export class SharedResponses {
  readonly responses = new SharedParts('#/components/responses/');
  readonly headers = new SharedParts('#/components/headers/');

  get components(): object {
    const { parts: responses } = this.responses;
    const { parts: headers } = this.headers;
    return { ...(responses && { responses }), ...(headers && { headers }) };
  }
}

/** The components of one kind. */
class SharedParts {
  readonly #shared = new Map<string, Shared>();
  readonly #names = new ComponentNames();

  constructor(private readonly base: string) {}

  /** A reference to a part. Parts of the same identity are created once. */
  refer(names: readonly string[], identity: unknown, create: () => object): object {
    const key = JSON.stringify(identity);
    let shared = this.#shared.get(key);
    if (!shared) this.#shared.set(key, (shared = { name: this.#names.claim(names), part: create() }));
    return { $ref: this.base + shared.name };
  }

  get parts(): Record<string, object> | undefined {
    const parts = [...this.#shared.values()].map(({ name, part }) => [name, part] as const);
    return parts.length > 0 ? Object.fromEntries(parts) : undefined;
  }
}
