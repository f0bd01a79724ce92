import { factsOf } from '../../../core/codes.ts';
import type { Code, DeclaredErrors } from '../../../core/codes.ts';
import type { RegisteredFunction } from '../../../core/registered-function.ts';
import { toPascalCase } from './names.ts';
import type { SharedResponses } from './shared-responses.ts';

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

/** Statuses whose responses are written out in every operation: tools look for their schemas there. */
const INLINE: ReadonlySet<number> = new Set([400, 500]);

/** The responses of failures. All but the smallest are components. */
export class SharedFailures {
  /** `describeBody` creates the content of a response, by media type. */
  constructor(
    private readonly describeBody: (isInline: boolean) => object,
    private readonly shared: SharedResponses,
    /** Refusals of the app's access rules and rate limits. */
    private readonly refusalsOf: (fn: RegisteredFunction) => readonly Code[] = () => [],
  ) {}

  /** One response for each status, with every code that has it. */
  describe(fn: RegisteredFunction): Record<string, object> {
    const { errors = {} } = fn.definition;
    return this.describeCodes(
      [...COMMON, ...this.refusalsOf(fn), ...Object.keys(errors)],
      errors,
      toPascalCase(fn.name),
    );
  }

  /** The same for given codes. `owner` is what the names of components begin with if they would be ambiguous. */
  describeCodes(codes: readonly string[], errors: DeclaredErrors, owner: string): Record<string, object> {
    const byStatus = new Map<number, string[]>();
    for (const code of new Set(codes)) {
      const { status } = factsOf(code, errors);
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
    return Object.fromEntries(
      [...byStatus].map(([status, statusCodes]) => [status, this.#response(status, statusCodes, errors, owner)]),
    );
  }

  #response(status: number, statusCodes: readonly string[], errors: DeclaredErrors, owner: string): object {
    if (INLINE.has(status)) return { description: briefly(statusCodes, errors), content: this.describeBody(true) };
    const description = statusCodes.map((code) => meaningOf(code, errors)).join(' ');
    const mayRetry = statusCodes.some((code) => factsOf(code, errors).retry);
    const headers = {
      'Everywire-Error-Code': { description: 'The error code.', schema: { type: 'string', enum: statusCodes } },
      ...(status === 401 && {
        'WWW-Authenticate': this.shared.headers.refer(['WWWAuthenticate'], 'challenge', () => CHALLENGE),
      }),
      ...(mayRetry && { 'Retry-After': this.shared.headers.refer(['RetryAfter'], 'Retry-After', () => RETRY_AFTER) }),
    };
    const name = statusCodes.map(toPascalCase).join('Or');
    const create = () => ({ description, headers, content: this.describeBody(false) });
    return this.shared.responses.refer([name, owner + name], [status, description, headers], create);
  }
}

const meaningOf = (code: string, errors: DeclaredErrors) => `\`${code}\`: ${factsOf(code, errors).when}`;

/** Every operation repeats it, so it only names our codes; docs/codes.md explains them. */
function briefly(statusCodes: readonly string[], errors: DeclaredErrors): string {
  const [own, declared] = [false, true].map((is) => statusCodes.filter((code) => Object.hasOwn(errors, code) === is));
  const names = own!.map((code) => `\`${code}\``).join(', ');
  return [names, ...declared!.map((code) => meaningOf(code, errors))].filter(Boolean).join('. ');
}

const RETRY_AFTER = {
  description: 'The seconds to wait before the next attempt, if they are known.',
  schema: { type: 'integer', minimum: 0 },
};

const CHALLENGE = {
  description: 'How to authenticate: RFC 6750, and RFC 9728 for where tokens come from.',
  schema: { type: 'string' },
};
