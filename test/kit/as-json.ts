/** A POST request with JSON, for `fetch` and `new Request`. */
export const asJson = (body: unknown = {}, headers: Readonly<Record<string, string>> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
