import { factsOf, reasonPhrase } from '../../core/codes.ts';
import type { Code, DeclaredErrors } from '../../core/codes.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { ComponentNames, toPascalCase } from './openapi-names.ts';

/** Failures that every function can have over HTTP, in addition to those that its author declares. */
const COMMON: readonly Code[] = [
  'INVALID_JSON',
  'INVALID_ARGUMENTS',
  'PAYLOAD_TOO_LARGE',
  'NOT_ACCEPTABLE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INTERNAL_ERROR',
  'INVALID_OUTPUT',
  'UNAVAILABLE',
  'TIMEOUT',
];

/** Statuses whose responses are written out in every operation: tools and people look for their schemas there. */
const INLINE: ReadonlySet<number> = new Set([400, 500]);

interface Shared {
  readonly name: string;
  readonly part: object;
}

/** Creates the content of a failure, by media type. */
type Content = (isInline: boolean) => object;

/** The responses of failures. Those that several operations have are components. */
export class SharedFailures {
  readonly #responses = new SharedParts('#/components/responses/');
  readonly #headers = new SharedParts('#/components/headers/');

  constructor(private readonly content: Content) {}

  /** One response for each status, with every code that has it. */
  describe({ name, definition: { errors = {} } }: RegisteredFunction): Record<string, object> {
    const byStatus = new Map<number, string[]>();
    for (const code of new Set([...COMMON, ...Object.keys(errors)])) {
      const { status } = factsOf(code, errors);
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
    const owner = toPascalCase(name);
    return Object.fromEntries(
      [...byStatus].map(([status, statusCodes]) => [status, this.#response(status, statusCodes, errors, owner)]),
    );
  }

  get components(): object {
    const { responses, headers } = { responses: this.#responses.parts, headers: this.#headers.parts };
    return { ...(responses && { responses }), ...(headers && { headers }) };
  }

  #response(status: number, statusCodes: readonly string[], errors: DeclaredErrors, owner: string): object {
    const isInline = INLINE.has(status);
    const meanings = statusCodes.map((code) => `\`${code}\`: ${factsOf(code, errors).when}`).join(' ');
    const phrase = reasonPhrase(status);
    const code = { description: isInline ? meanings : 'The error code.', schema: { type: 'string', enum: statusCodes } };
    const mayRetry = statusCodes.some((one) => factsOf(one, errors).retry);
    const codeName = `${toPascalCase(phrase)}Code`;
    const headers = {
      // In a response that is a component itself, a reference would only make it longer.
      'Everywire-Error-Code': isInline ? this.#headers.refer([codeName, owner + codeName], code, () => code) : code,
      ...(mayRetry && { 'Retry-After': this.#headers.refer(['RetryAfter'], RETRY_AFTER, () => RETRY_AFTER) }),
    };
    const create = () => ({ description: isInline ? phrase : meanings, headers, content: this.content(isInline) });
    if (isInline) return create();
    const name = statusCodes.map(toPascalCase).join('Or');
    return this.#responses.refer([name, owner + name], [status, meanings, headers], create);
  }
}

const RETRY_AFTER = {
  description: 'The seconds to wait before the next attempt, if they are known.',
  schema: { type: 'integer', minimum: 0 },
};

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
