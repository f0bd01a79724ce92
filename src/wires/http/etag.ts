/**
 * Whether a client already has what an ETag names (RFC 9110, section 13.1.2). The comparison is weak: a proxy that
 * compresses a response makes its ETag weak.
 */
export function isKnown(etag: string, ifNoneMatch: string | readonly string[] | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  const given = String(ifNoneMatch).trim();
  return given === '*' || (given.match(/"[^"]*"/g)?.includes(etag) ?? false);
}
