import autocannon from 'autocannon';
import { startServer } from './server.mjs';
import { costOf, usageOf } from './usage.mjs';

export const CONNECTIONS = 64;

/**
 * One contender, once, in a fresh process: proved, warmed up, measured, and proved again. `prove` throws unless the
 * contender does the whole job, and returns the request to send under load and the one answer that is right.
 */
export async function measureServer({ name, file, args, connections = CONNECTIONS }, prove, { warmup, seconds }) {
  const server = await startServer(name, file, args);
  try {
    const exchange = { name, connections, ...(await prove(server)) };
    await warmUp(exchange, warmup);
    const before = usageOf(server.pid);
    const { requests, elapsed } = await load(exchange, { duration: seconds });
    const after = usageOf(server.pid);
    await prove(server);
    return { ...costOf(before, after, requests, elapsed), start: server.start };
  } finally {
    await server.stop();
  }
}

/** The same without a measurement: how many requests were answered in all. */
export async function flood(exchange, warmup, seconds) {
  const before = await warmUp(exchange, warmup);
  const { requests } = await load(exchange, { duration: seconds });
  return before + requests;
}

/** By number, so that the compiler has seen the same of every contender; but not for ever. */
async function warmUp(exchange, { requests, seconds }) {
  const start = performance.now();
  let sent = 0;
  while (sent < requests && performance.now() - start < seconds * 1000) {
    const amount = Math.max(Math.min(requests, SLICE), exchange.connections);
    await load(exchange, { amount });
    sent += amount;
  }
  return sent;
}

const SLICE = 4000;

export async function load({ name, url, headers, body, answer, connections }, extent) {
  const result = await autocannon({
    url,
    method: 'POST',
    headers,
    body,
    expectBody: answer,
    connections,
    // The first wrong answer ends it: else autocannon would knock for ever at a server that died.
    bailout: 1,
    // Seconds; on a busy machine an answer may take long and yet be right.
    timeout: 30,
    // It looks only this often, in milliseconds, whether it should stop.
    sampleInt: 50,
    ...extent,
  });
  const { errors, timeouts, mismatches, non2xx } = result;
  if (errors + mismatches + non2xx > 0) {
    const counts = `${errors} errors (${timeouts} of them timeouts), ${mismatches} wrong answers, ${non2xx} refusals`;
    throw new Error(`${name} under load: ${counts}`);
  }
  if (result['2xx'] === 0) throw new Error(`${name} under load answered nothing in time; is the machine very busy?`);
  return { requests: result['2xx'], elapsed: (result.finish - result.start) / 1000 };
}
