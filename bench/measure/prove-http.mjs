import { REFUSED, SUMS } from './job.mjs';
import { post } from './post.mjs';

const HEADERS = { 'content-type': 'application/json' };

/** Throws unless a contender does the whole job over HTTP; returns what to load it with. */
export async function proveHttp({ name, origin }, path, answerOf) {
  const url = origin + path;
  let exchange;
  for (const { x, y } of SUMS) {
    const sent = JSON.stringify({ x, y });
    const expected = answerOf(x + y);
    const { status, type, body } = await post(url, HEADERS, sent);
    const isRight = status === 200 && type === 'application/json' && body === expected;
    if (!isRight) throw new Error(`${name} answered ${sent} with ${status} ${type} ${body}`);
    exchange = { url, headers: HEADERS, body: sent, answer: expected };
  }
  for (const input of REFUSED) {
    const sent = JSON.stringify(input);
    const { status, body } = await post(url, HEADERS, sent);
    if (status !== 400) throw new Error(`${name} answered ${sent} with ${status} ${body}, not with 400`);
  }
  return exchange;
}
