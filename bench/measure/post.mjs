/** One request, outside of any measurement, that does not wait for ever. */
export async function post(url, headers, body) {
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(5000) });
  // Some add a charset, which JSON does not have; the type is the same without.
  const [type] = (response.headers.get('content-type') ?? '').split(';');
  return { status: response.status, type, body: await response.text() };
}
