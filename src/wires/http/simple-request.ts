import { refuse } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import type { HttpRequest } from './message.ts';
import { isSameOrigin } from './origin.ts';

/** The media types that a page may post to another origin without a preflight request; empty for none. */
const SIMPLE = new Set(['', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']);

/**
 * Where the server around us decides about origins, a browser must have asked it: refuses what pages of another origin can
 * post without a preflight request (cross-site request forgery).
 */
export function refuseSimple(request: Pick<HttpRequest, 'method' | 'headers' | 'scheme'>): Failed | undefined {
  const { method, headers } = request;
  if (headers['origin'] === undefined || method !== 'POST' || isSameOrigin(headers, request)) return undefined;
  const [type = ''] = String(headers['content-type'] ?? '').split(';', 1);
  return SIMPLE.has(type.trim().toLowerCase()) ? UNASKED : undefined;
}

const UNASKED = refuse('FORBIDDEN', 'A page of another origin must send Content-Type: application/json');
