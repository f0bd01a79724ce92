import { setTimeout as sleep } from 'node:timers/promises';
import { dial, postText } from '../kit/raw.ts';
import { ASKABLE, INITIALIZE } from '../mcp/mcp-post.ts';
import { begin, legacy, listen, listenTo, messagesIn, modern, post, tool } from '../mcp/mcp-post.ts';

/** Something that a client does, after which nothing may remain. */
export interface Operation {
  readonly title: string;
  /** Creates the operation for one client. */
  readonly prepare: (url: string) => Promise<() => Promise<unknown>>;
  /** Only in the long run. */
  readonly isLong?: boolean;
  /** Its clients disconnect, which the server notices only after a while. */
  readonly leaves?: boolean;
}

type Named = string | Omit<Operation, 'prepare'>;
const factsOf = (named: Named) => (typeof named === 'string' ? { title: named } : named);
const long = (title: string) => ({ title, isLong: true });
const withLeavers = (title: string) => ({ title, leaves: true });

/** Several are done in turn. */
const always = (named: Named, ...runs: readonly ((url: string) => Promise<unknown>)[]): Operation => ({
  ...factsOf(named),
  prepare: async (url) => inTurn(runs.map((run) => () => run(url))),
});

type InSession = (url: string, session: string) => Promise<unknown>;
const inSession = (named: Named, ...runs: readonly InSession[]): Operation => ({
  ...factsOf(named),
  prepare: async (url) => {
    const session = await begin(url);
    return inTurn(runs.map((run) => () => run(url, session)));
  },
});

function inTurn(runs: readonly (() => Promise<unknown>)[]): () => Promise<unknown> {
  let turn = 0;
  return () => runs[turn++ % runs.length]!();
}

const PROGRESS = { _meta: { progressToken: 1 } };
const ECHO = tool('Echo', { text: 'x'.repeat(500) });
const STREAMED = tool('Echo', { text: 'x'.repeat(500) }, PROGRESS);

async function read(sent: Promise<Response>, status = 200): Promise<any> {
  const response = await sent;
  const messages = await messagesIn(response);
  if (response.status !== status) throw new Error(`${response.status}: ${JSON.stringify(messages)}`);
  return messages.at(-1);
}

const http = (url: string, name: string, body: string, signal?: AbortSignal, accept = '*/*') =>
  fetch(`${url}/functions/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body,
    ...(signal && { signal }),
  });

async function readStream(url: string, accept: string): Promise<void> {
  const text = await (await http(url, 'Count', '{}', undefined, accept)).text();
  if (!text.includes('{"result":5}')) throw new Error(text);
}

/** Disconnects while the call runs. */
async function leave(begun: (signal: AbortSignal) => Promise<Response>): Promise<void> {
  const leaving = new AbortController();
  const sent = begun(leaving.signal).then(
    async (response) => response.text().catch(() => 'left'),
    () => 'left',
  );
  await new Promise((resolve) => setTimeout(resolve, 4));
  leaving.abort();
  await sent;
}

async function end(url: string, session: string): Promise<void> {
  await fetch(`${url}/mcp`, { method: 'DELETE', headers: { 'mcp-session-id': session } });
}

/** The stream of a session; the one before may not have ended yet. */
async function follow(url: string, session: string): Promise<Response> {
  for (;;) {
    const response = await listen(url, session);
    if (response.status !== 409) return response;
    await response.text();
  }
}

let id = 0;
const TAKES_TASKS = {
  _meta: { 'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
};
const CAPABLE = { _meta: ASKABLE };

const completion = {
  method: 'completion/complete',
  params: { ref: { type: 'ref/resource', uri: 'notes://{id}' }, argument: { name: 'id', value: '' } },
};

/** Some are kept in memory, some on the disk. */
const upload = (url: string, size: number, signal?: AbortSignal) => {
  const body = new FormData();
  body.append('file', new File(['x'.repeat(size)], 'a.txt'));
  return fetch(`${url}/functions/EchoFile`, { method: 'POST', body, ...(signal && { signal }) });
};

const FORM = `--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${'x'.repeat(100_000)}\r\n--b--`;
/** Requests that wait for the response to another one on their connection. */
const BEHIND = [
  postText('/functions/EchoFile', FORM, 'Content-Type: multipart/form-data; boundary=b').repeat(2),
  postText('/functions/Count', '{"wait":true}', 'Accept: text/event-stream'),
  postText('/functions/Wait'),
].join('');

/** A task that goes on, and one that has ended; `ask` makes requests about them. */
const aboutTasks = (
  named: Named,
  ...runs: readonly ((
    ask: (path: string, prefer: string, signal?: AbortSignal) => Promise<Response>,
  ) => Promise<unknown>)[]
): Operation => ({
  ...factsOf(named),
  prepare: async (url) => {
    const headers = { 'content-type': 'application/json', prefer: 'respond-async', 'idempotency-key': 'one' };
    const start = (prefer: string, wait: boolean, signal?: AbortSignal) => {
      const init = { method: 'POST', headers: { ...headers, prefer }, body: JSON.stringify({ wait }) };
      return fetch(`${url}/functions/${wait ? 'Work' : 'Rest'}`, signal ? { ...init, signal } : init);
    };
    const [running, ended] = await Promise.all(
      [true, false].map(async (wait) => (await start('respond-async', wait)).headers.get('location')!),
    );
    return inTurn(
      runs.map(
        (run) => () =>
          run((path, prefer, signal) => {
            if (path === '') return start(prefer, true, signal);
            const address = path.replace('running', running!).replace('ended', ended!);
            return fetch(address, { headers: { prefer }, ...(signal && { signal }) });
          }),
      ),
    );
  },
});

export const operations: readonly Operation[] = [
  always(long('call, HTTP'), (url) => read(http(url, 'Echo', '{"text":"x"}'))),
  always(
    'call, MCP fast path',
    (url) => read(modern(url, ECHO)),
    (url) => read(legacy(url, ECHO)),
  ),
  always(
    long('call, MCP SDK'),
    (url) => read(modern(url, STREAMED)),
    (url) => read(legacy(url, STREAMED)),
  ),
  always(
    long('stream'),
    (url) => readStream(url, 'text/event-stream'),
    (url) => readStream(url, 'application/x-ndjson'),
    (url) => read(modern(url, tool('Count', {}, PROGRESS))),
    (url) => read(legacy(url, tool('Count', {}, PROGRESS))),
  ),
  always(
    withLeavers('stream, left in the middle'),
    (url) => leave((signal) => http(url, 'Count', '{"wait":true}', signal, 'text/event-stream')),
    (url) => leave((signal) => http(url, 'Count', '{"wait":true}', signal, 'application/x-ndjson')),
    (url) => leave((signal) => modern(url, tool('Count', { wait: true }, PROGRESS), signal)),
  ),
  inSession(
    'call, MCP session',
    (url, session) => read(legacy(url, ECHO, session)),
    (url, session) => read(legacy(url, STREAMED, session)),
  ),
  inSession(
    long('resource, list, prompt'),
    (url) => read(modern(url, { method: 'resources/read', params: { uri: 'notes://1' } })),
    (url, session) => read(legacy(url, { method: 'resources/list' }, session)),
    (url) => read(legacy(url, { method: 'prompts/get', params: { name: 'hello' } })),
    async (url) => (await fetch(`${url}/resources/notes%3A%2F%2F1`)).text(),
  ),
  always(
    withLeavers('file'),
    async (url) => (await upload(url, 1000)).text(),
    async (url) => (await upload(url, 100_000)).text(),
    async (url) => (await fetch(`${url}/functions/EchoFile`, { method: 'POST', body: new FormData() })).text(),
    (url) => leave((signal) => upload(url, 200_000, signal)),
  ),
  inSession(
    'failure',
    ...['throws', 'output', 'fails'].flatMap((how) => [
      (url: string) => read(http(url, 'Fail', JSON.stringify({ how })), how === 'fails' ? 404 : 500),
      (url: string) => read(modern(url, tool('Fail', { how }, PROGRESS))),
      (url: string, session: string) => read(legacy(url, tool('Fail', { how }), session)),
    ]),
    (url) => read(http(url, 'Echo', '{"text":'), 400),
    (url) => read(modern(url, tool('Nothing'))),
    (url) => read(modern(url, completion)),
  ),
  inSession(
    long('timeout'),
    (url) => read(http(url, 'Late', '{}'), 504),
    (url, session) => read(legacy(url, tool('Late'), session)),
  ),
  always(
    withLeavers('abort'),
    (url) => leave((signal) => http(url, 'Wait', '{}', signal)),
    (url) => leave((signal) => modern(url, tool('Wait'), signal)),
    (url) => leave((signal) => modern(url, tool('Wait', {}, PROGRESS), signal)),
    (url) => leave((signal) => legacy(url, tool('Wait', {}, PROGRESS), undefined, signal)),
  ),
  always(withLeavers('behind a slow call, left'), async (url) => {
    const { socket } = dial(url);
    socket.write(postText('/functions/Wait') + BEHIND);
    await sleep(100);
    socket.destroy();
  }),
  aboutTasks(
    'task, read',
    async (ask) => (await ask('ended', 'wait=10')).text(),
    async (ask) => (await ask('ended/result', '')).text(),
    async (ask) => (await ask('ended/events', '')).text(),
    async (ask) => (await ask('', 'respond-async')).text(),
  ),
  aboutTasks(
    withLeavers('task, waited for and left'),
    (ask) => leave((signal) => ask('running', 'wait=60', signal)),
    (ask) => leave((signal) => ask('running/events', '', signal)),
    (ask) => leave((signal) => ask('', 'respond-async, wait=60', signal)),
  ),
  inSession('cancellation, MCP session', async (url, session) => {
    const call = { ...tool('Wait', {}, PROGRESS), id: `call ${id++}` };
    const stream = listenTo(await legacy(url, call, session));
    await stream.next(); // it has started
    const params = { requestId: call.id };
    await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params }, { 'mcp-session-id': session });
    while (await stream.next());
  }),
  always('refused handshake, 406', (url) => read(post(url, INITIALIZE, { accept: 'application/json' }), 406)),
  always('refused handshake, 415', (url) => read(post(url, INITIALIZE, { 'content-type': 'text/plain' }), 415)),
  always('refused handshake, 400', (url) => read(post(url, { ...INITIALIZE, jsonrpc: '1.0' }), 400)),
  always('session, begun and ended', async (url) => end(url, await begin(url))),
  always(long('session, begun and left'), begin),
  inSession('subscription, made and ended', async (url, session) => {
    const params = { uri: `notes://${id++}` };
    await read(legacy(url, { method: 'resources/subscribe', params }, session));
    await read(legacy(url, { method: 'resources/unsubscribe', params }, session));
  }),
  always(long('subscription, its session ended'), async (url) => {
    const session = await begin(url);
    await read(legacy(url, { method: 'resources/subscribe', params: { uri: `notes://${id++}` } }, session));
    await end(url, session);
  }),
  inSession(
    'subscription, refused',
    ...['other', 'notes'].map((scheme) => (url: string, session: string) => {
      const params = { uri: `${scheme}://${id++}/${'x'.repeat(20_000)}` };
      return read(legacy(url, { method: 'resources/subscribe', params }, session));
    }),
  ),
  always(withLeavers('subscription, of one that listens'), async (url) => {
    const notifications = { resourceSubscriptions: [`notes://${id++}`] };
    const stream = listenTo(await modern(url, { method: 'subscriptions/listen', params: { notifications } }));
    await stream.next();
    await stream.close();
  }),
  {
    title: 'task, read, listened to and waited for',
    leaves: true,
    prepare: async (url) => {
      const { taskId } = (await read(modern(url, tool('Job', {}, TAKES_TASKS)))).result;
      const listens = (notifications: object) => async () => {
        const request = { method: 'subscriptions/listen', params: { notifications, ...TAKES_TASKS } };
        const stream = listenTo(await modern(url, request));
        await stream.next();
        await stream.close();
      };
      return inTurn([
        () => read(modern(url, { method: 'tasks/get', params: { taskId, ...TAKES_TASKS } })),
        listens({ taskIds: [taskId] }),
        listens({ taskIds: [taskId], toolsListChanged: true }),
        listens({ taskIds: ['unknown'] }),
        () => leave((signal) => legacy(url, { method: 'tasks/result', params: { taskId } }, undefined, signal)),
      ]);
    },
  },
  inSession(withLeavers('GET stream, opened and dropped'), async (url, session) => {
    await (await follow(url, session)).body?.cancel();
  }),
  always('elicitation, 2026-07-28', async (url) => {
    const { result } = await read(modern(url, tool('Ask', {}, CAPABLE)));
    const inputResponses = { question1: { action: 'accept', content: { yes: true } } };
    await read(modern(url, tool('Ask', {}, { ...CAPABLE, inputResponses, requestState: result.requestState })));
  }),
  inSession('elicitation, 2025-11-25', async (url, session) => {
    const stream = listenTo(await legacy(url, { ...tool('Ask'), id: `ask ${id++}` }, session));
    const asked = await stream.next();
    const result = { action: 'accept', content: { yes: true } };
    await post(url, { jsonrpc: '2.0', id: asked.id, result }, { 'mcp-session-id': session });
    await stream.next();
    await stream.close();
  }),
];

/** Those that are not only in the long run, in turn: one measurement is enough for all of them. */
export const together: Operation = {
  title: 'all in turn',
  leaves: true,
  prepare: async (url) => {
    const short = operations.filter(({ isLong }) => !isLong);
    return inTurn(await Promise.all(short.map(({ prepare }) => prepare(url))));
  },
};
