// `everywire/access`: who is calling.
export { apiKeys } from './access/api-keys.ts';
export type { ApiKeyOptions } from './access/api-keys.ts';
export type { ApiKeys } from './access/key-ring.ts';
export { custom } from './access/custom.ts';
export { introspection } from './access/introspection.ts';
export type { IntrospectionOptions } from './access/introspection-options.ts';
export { jwt } from './access/jwt.ts';
export type { JwtOptions, KeySet } from './access/jwt-options.ts';
export type { Claims, TokenOptions } from './access/token-options.ts';
export type { AccessOptions, Policy } from './access/access-options.ts';
export type { Authenticator, Rejected, Verdict } from './access/authenticator.ts';
export { Credentials } from './core/credentials.ts';
export type { CredentialParts } from './core/credentials.ts';
