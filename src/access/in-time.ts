/** Milliseconds that recognising a caller may take. Its request waits for that, before any time limit of a call. */
const LIMIT = 10_000;

/** Rejects if a promise takes too long: an authenticator that hangs must not leave a request without a response. */
export function inTime<T>(pending: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The caller was not recognised within ${LIMIT} ms`)), LIMIT);
  });
  return Promise.race([pending, late]).finally(() => clearTimeout(timer));
}
