import type { PrincipalOptions } from './principal.ts';

/** What a wire found. */
export interface CredentialParts {
  /** The token of `Authorization: Bearer`. */
  readonly bearer?: string | undefined;
  /** The value of `X-API-Key`. */
  readonly apiKey?: string | undefined;
  /** The user that a web server has authenticated (CGI). */
  readonly user?: { readonly name: string; readonly type: string } | undefined;
  /** Credentials that cannot be read, or more than one. */
  readonly malformed?: boolean | undefined;
  /** An `Authorization` header of another scheme, such as Basic. */
  readonly otherScheme?: boolean | undefined;
  /** Asks the server around the app, which may know the caller. */
  readonly outer?: AskOuter | undefined;
}

/** Undefined: the server around the app does not know the caller, and the other credentials are looked at. */
export type AskOuter = () => PrincipalOptions | undefined | Promise<PrincipalOptions | undefined>;

/** What a caller presents to be recognised. The fields are private, so that no log, dump or JSON shows them. */
export class Credentials implements CredentialParts {
  readonly #parts: CredentialParts;

  constructor(parts: CredentialParts) {
    this.#parts = parts;
  }

  get bearer(): string | undefined {
    return this.#parts.bearer;
  }

  get apiKey(): string | undefined {
    return this.#parts.apiKey;
  }

  get user(): CredentialParts['user'] {
    return this.#parts.user;
  }

  get malformed(): boolean {
    return this.#parts.malformed === true;
  }

  get otherScheme(): boolean {
    return this.#parts.otherScheme === true;
  }

  get outer(): AskOuter | undefined {
    return this.#parts.outer;
  }
}
