#!/usr/bin/env node
// A small agent. It lists the functions of a server, passes them to a model as tool definitions for OpenAI's API, makes
// the calls that the model requests, and returns the results to it. Works with any everywire server, MCP endpoint or
// OpenAPI document:
//   node agent.mjs 'What is the weather in Oslo?' [url]
import { createClient } from 'everywire/client';
import { loadApp, serve } from 'everywire/node';
import { scriptedModel } from './scripted-model.mjs';

const [question = 'What is the weather in Oslo and in Atlantis?', url] = process.argv.slice(2);
const host = url ? undefined : await serve(await loadApp(new URL('./app.ts', import.meta.url)), { port: 0 });
const client = createClient(url ?? host.url);

const callables = await client.list();
// Models accept letters, digits, _ and - in function names; servers may use dots.
const byModelName = new Map(callables.map((callable) => [callable.name.replaceAll(/[^\w-]/g, '_'), callable]));
const tools = [...byModelName].map(([name, { description, inputSchema }]) => ({
  type: 'function',
  function: { name, description, parameters: inputSchema },
}));

console.log('(The model is a scripted stand-in: it follows a script and understands nothing.)');
console.log(`user       ${question}`);
const messages = [{ role: 'user', content: question }];

for (let turn = 0; turn < 5; turn++) {
  const reply = scriptedModel({ messages, tools });
  messages.push(reply);
  if (!reply.tool_calls) {
    console.log(`assistant  ${reply.content}`);
    break;
  }
  for (const { id, function: request } of reply.tool_calls) {
    console.log(`assistant  ${request.name} ${request.arguments}`);
    const content = await callFunction(request);
    console.log(`tool       ${content}`);
    messages.push({ role: 'tool', tool_call_id: id, content });
  }
}

await client.close();
await host?.drain();

/** The result as the model reads it. */
async function callFunction({ name, arguments: text }) {
  const outcome = await client.call(byModelName.get(name)?.name ?? name, JSON.parse(text));
  if (outcome.ok) return JSON.stringify(outcome.data);
  const { code, message, details, retry } = outcome.error;
  return JSON.stringify({ error: { code, message, details, retry } });
}
