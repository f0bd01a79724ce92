import type { App } from '../../app/app.ts';
import { isByFramework } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import { isRecord } from '../../schema/json-schema.ts';
import { metadataUrl } from './resource-metadata.ts';

/** The value of WWW-Authenticate for a refused call (RFC 6750, RFC 9728); undefined if it has none. */
export type Challenge = (failure: Failed) => string | undefined;

/** `resource` is the path below the app that the metadata is about. Undefined if the app has no access rules. */
export function createChallenge({ access, name }: App, resource: '' | '/mcp'): Challenge | undefined {
  if (!access) return undefined;
  const metadata = metadataUrl(access.options, resource);
  const about = metadata === undefined ? `realm="${quotable(name)}"` : `resource_metadata="${metadata}"`;
  return (failure) => {
    if (!isByFramework(failure)) return undefined;
    const { code, message, details } = failure.error;
    const { error, scopes, required = scopes } = isRecord(details) ? details : {};
    const kind = code === 'FORBIDDEN' && Array.isArray(scopes) ? 'insufficient_scope' : error;
    if (code !== 'UNAUTHENTICATED' && typeof kind !== 'string') return undefined;
    const parts = [about];
    if (typeof kind === 'string') parts.push(`error="${kind}"`, `error_description="${quotable(message)}"`);
    if (Array.isArray(required) && required.length > 0) parts.push(`scope="${required.join(' ')}"`);
    return `Bearer ${parts.join(', ')}`;
  };
}

/** RFC 6750, section 3: nothing that would end the quotes, and only ASCII. */
function quotable(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^ !#-[\]-~]/g, '?');
}
