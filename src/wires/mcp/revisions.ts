/** Legacy revisions begin with a handshake. In modern ones every request describes its client, in `_meta`. */
export type Era = 'legacy' | 'modern';

export const MODERN = '2026-07-28';

/** Newest first: the first is offered to clients that ask for an unknown one. */
export const LEGACY: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

const PREFIX = 'io.modelcontextprotocol/';

/** Keys of `_meta`. */
export const PROTOCOL_VERSION = `${PREFIX}protocolVersion`;
export const CLIENT_INFO = `${PREFIX}clientInfo`;
export const CLIENT_CAPABILITIES = `${PREFIX}clientCapabilities`;
export const SERVER_INFO = `${PREFIX}serverInfo`;
export const SUBSCRIPTION_ID = `${PREFIX}subscriptionId`;
/** Of progress notifications: what a generator has yielded. */
export const CHUNK = 'everywire/chunk';
