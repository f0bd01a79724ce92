/** What a wire found. */
export interface CredentialParts {
  /** The token of `Authorization: Bearer`. */
  readonly bearer?: string | undefined;
  /** The value of `X-API-Key`. */
  readonly apiKey?: string | undefined;
  /** The user that a web server has authenticated (CGI). */
  readonly user?: { readonly name: string; readonly type: string } | undefined;
  /** An `Authorization` header that could not be read. */
  readonly malformed?: boolean | undefined;
}

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
}
