const SUMS = [
  [10, 20],
  [0, 0],
  [-7, 3],
  [2 ** 31, 2 ** 31],
];

const REFUSED = ['{"x":"a","y":1}', '{"x":1,"y":5.5}', '{"x":1}'];

/** Throws unless a contender does the whole job: whoever checks less would win. */
export async function prove({ name, url }) {
  for (const [x, y] of SUMS) {
    const sent = JSON.stringify({ x, y });
    const { status, type, body } = await post(url, sent);
    const right = status === 200 && type === 'application/json' && body === `{"result":${x + y}}`;
    if (!right) throw new Error(`${name} answered ${sent} with ${status} ${type} ${body}`);
  }
  for (const sent of REFUSED) {
    const { status, body } = await post(url, sent);
    if (status !== 400) throw new Error(`${name} answered ${sent} with ${status} ${body}, not with 400`);
  }
}

async function post(url, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(5000) });
  // Fastify adds a charset, which JSON does not have; the type is the same without.
  const [type] = (response.headers.get('content-type') ?? '').split(';');
  return { status: response.status, type, body: await response.text() };
}
