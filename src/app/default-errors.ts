/** In workers and browsers nobody sets NODE_ENV: what serves the public must not depend on it. */
export function defaultErrors(): 'shown' | 'masked' {
  const host = globalThis as {
    process?: { env?: Record<string, string | undefined> };
    navigator?: { userAgent?: string };
  };
  const isWorker = !host.process?.env || host.navigator?.userAgent === 'Cloudflare-Workers';
  const mode = host.process?.env?.['NODE_ENV'] ?? (isWorker ? 'production' : undefined);
  return mode === 'production' ? 'masked' : 'shown';
}
