import autocannon from 'autocannon';
import { start } from './contender.mjs';
import { prove } from './prove.mjs';

export const CONNECTIONS = 32;

/** One contender, once, in a fresh process: proved, warmed up, measured, and proved again. */
export async function measure(name, { warmup, seconds }) {
  const contender = await start(name);
  try {
    await prove(contender);
    // By number and not by time: the compiler has then seen the same of every contender.
    await load(contender, { amount: warmup });
    const before = await contender.usage();
    const { requests, elapsed } = await load(contender, { duration: seconds });
    const after = await contender.usage();
    await prove(contender);
    const cpu = after.cpu.user - before.cpu.user + after.cpu.system - before.cpu.system;
    return {
      rate: requests / elapsed,
      cpu: cpu / requests,
      busy: cpu / 1e6 / elapsed,
      rss: after.rss,
    };
  } finally {
    await contender.stop();
  }
}

async function load({ name, url }, extent) {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"x":10,"y":20}',
    expectBody: '{"result":30}',
    connections: CONNECTIONS,
    // The first wrong answer ends it: else autocannon would knock for ever at a server that died.
    bailout: 1,
    // It looks only this often, in milliseconds, whether it should stop.
    sampleInt: 50,
    ...extent,
  });
  const { errors, mismatches, non2xx } = result;
  if (errors + mismatches + non2xx > 0) {
    throw new Error(`${name} under load: ${errors} errors, ${mismatches} wrong answers, ${non2xx} refusals`);
  }
  return { requests: result['2xx'], elapsed: (result.finish - result.start) / 1000 };
}
