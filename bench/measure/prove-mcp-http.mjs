import { SUMS } from './job.mjs';
import { callOf, headersOf, proveMcp } from './mcp.mjs';
import { post } from './post.mjs';

/** Throws unless a contender does the whole job over MCP; returns what to load it with. */
export async function proveMcpHttp({ name, origin }, revision) {
  const url = `${origin}/mcp`;
  const headers = headersOf(revision, 'Add');
  const ask = async (message) => {
    const { status, body } = await post(url, headers, JSON.stringify(message));
    return read(body) ?? wrong(name, status, body);
  };
  await proveMcp(name, revision, ask);
  const body = JSON.stringify(callOf(revision, 1, SUMS.at(-1)));
  const answers = [await post(url, headers, body), await post(url, headers, body)].map((answer) => answer.body);
  if (answers[0] !== answers[1]) throw new Error(`${name} answered the same request with ${answers.join(' and ')}`);
  return { url, headers, body, answer: answers[0] };
}

/** The answer in a body that is JSON, or a stream of events of which the last is the answer. */
function read(body) {
  const texts = body.startsWith('{') ? [body] : [...body.matchAll(/^data: ?(\{.*\})$/gm)].map(([, data]) => data);
  return texts.length > 0 ? JSON.parse(texts.at(-1)) : undefined;
}

function wrong(name, status, body) {
  throw new Error(`${name} answered with ${status} ${body}`);
}
