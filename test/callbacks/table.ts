// Loaded before anything is timed: otherwise the MCP client loads it at its first call, which may take long.
import '@modelcontextprotocol/client';
import type { App, AppOptions, FunctionDefinition, Log } from 'everywire';
import { createApp, createFiles, defineFunction, definePrompt, defineResource, forms, memoryFolder } from 'everywire';
import { createClient } from 'everywire/client';
import { checkResponses as forExpress } from 'everywire/express';
import { checkResponses as forFastify } from 'everywire/fastify';
import { checkResponses as forHono } from 'everywire/hono';
import { createSuccessResponse, fromThrowable, wrapTool } from 'everywire/responses';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { z } from 'zod';
import { throwing } from '../kit/parts.ts';
import { http, onWires, overMcp, overHttp, type Seen } from './on-wires.ts';
import type { Way } from './ways.ts';

type Call = Way['call'];
type Codes = string | readonly string[];

/** The error mode and the log of the app around a callback. */
export interface World {
  readonly errors: 'shown' | 'masked';
  readonly log: Log;
  readonly isTypical: boolean;
}

/** A place where user code is called. */
export interface Place {
  /** The name that scan.ts uses; schemas and third-party interfaces have names of our own. */
  readonly id: string;
  /** Causes the callback to be called, on every wire that can. */
  readonly reach: (call: Call, world: World) => Promise<readonly Seen[]>;
  /** The expected codes. */
  readonly answers: Readonly<Record<Way['kind'], Codes>>;
  /** Why it is not logged. */
  readonly unlogged?: string;
  /** Why the caller may see the error although errors are masked. */
  readonly unmasked?: string;
}

const FAILS = { throws: 'INTERNAL_ERROR', rejects: 'INTERNAL_ERROR', hangs: 'TIMEOUT' } as const;
const failing = (nonsense: Codes) => ({ ...FAILS, nonsense });
const always = (code: Codes) => ({ throws: code, rejects: code, hangs: code, nonsense: code });
const FINE = always('OK');
const ANY = ['OK', 'INVALID_ARGUMENTS', 'INVALID_OUTPUT', 'INTERNAL_ERROR'];

/** Milliseconds after which a call counts as hanging. */
const HANG_TIMEOUT = 400;

const facts = { name: 'F', description: 'F' } as const;
const words = { type: 'string', description: 'A word' } as const;
const fine = () => 'fine';

function appOf({ errors, log }: World, options: Partial<AppOptions>): App {
  const functions = [defineFunction({ ...facts, output: words, run: fine })];
  const limits = { timeout: HANG_TIMEOUT };
  return createApp({ name: 'Callbacks', version: '1', errors, log, limits, functions, ...options });
}

/** A function with one callback replaced. */
const inFunction =
  (part: (call: Call) => Partial<FunctionDefinition>): Place['reach'] =>
  (call, world) =>
    onWires(appOf(world, { functions: [{ ...facts, output: words, run: fine, ...part(call) }] }), world.isTypical);

/** An app with one option replaced. */
const inApp =
  (options: (call: Call) => Partial<AppOptions>): Place['reach'] =>
  (call, world) =>
    onWires(appOf(world, options(call)), world.isTypical);

/** A function that uses its context. */
const inRun = (run: FunctionDefinition['run']) => [{ ...facts, output: words, run }];

const input = (word: z.ZodType) => z.object({ a: word.describe('A word') });

/** A schema of an unknown library. */
const unknownLibrary = (validate: Call) => {
  const jsonSchema = { input: () => ({ type: 'object' }), output: () => words };
  return { '~standard': { version: 1, vendor: 'own', validate, jsonSchema } };
};

const outcomeOf = (wire: string, outcome: { ok: boolean; error?: { code: string } }): Seen => ({
  wire,
  code: outcome.ok ? 'OK' : (outcome.error?.code ?? 'no code'),
  text: JSON.stringify(outcome),
});

/** An option of a call as wires make it. */
const inCall =
  (option: string, run: FunctionDefinition['run']): Place['reach'] =>
  async (call, world) => {
    const { outcome } = await appOf(world, { functions: inRun(run) }).respond({ name: 'F', [option]: call as never });
    return [outcomeOf('respond', outcome)];
  };

async function* yielding(value: unknown) {
  yield value;
}

const TASK = { functions: [defineFunction({ ...facts, task: 'always', output: words, run: fine })] } as const;

/** Lets a call become a task, of a caller that can be asked at once. */
async function startTask(app: App): Promise<readonly Seen[]> {
  const asker = { can: () => true, takes: () => true, ask: async () => ({}) };
  const deferral = { caller: 'prefers', askable: [] } as const;
  const { outcome } = await app.respond({ name: 'F', input: {}, asker, deferral });
  return [outcomeOf('process', outcome)];
}

const logging =
  (level: keyof Log): Place['reach'] =>
  (call, world) => {
    const functions = inRun((_input, { log }) => (log[level]('said'), 'fine'));
    return onWires(appOf({ ...world, log: { ...world.log, [level]: call } }, { functions }), world.isTypical);
  };

const inFolder =
  (method: string, use: FunctionDefinition['run']): Place['reach'] =>
  async (call, world) => {
    const folder = Object.assign(Object.create(memoryFolder()) as ReturnType<typeof memoryFolder>, { [method]: call });
    const files = createFiles([{ at: '/m', folder }]);
    const app = appOf(world, { functions: inRun(use) });
    return [outcomeOf('process', await app.call('F', {}, { files }))];
  };

const FILES: Readonly<Record<string, FunctionDefinition['run']>> = {
  stat: async (_input, { files }) => JSON.stringify(await files.stat('/m/a')) ?? '',
  list: async (_input, { files }) => JSON.stringify(await files.list('/m')) ?? '',
  open: async (_input, { files }) => JSON.stringify(await files.read('/m/a')) ?? '',
  write: async (_input, { files }) => JSON.stringify(await files.write('/m/a', 'x')) ?? '',
  append: async (_input, { files }) => JSON.stringify(await files.append('/m/a', 'x')) ?? '',
  remove: async (_input, { files }) => JSON.stringify(await files.remove('/m/a')) ?? '',
  chmod: async (_input, { files }) => JSON.stringify(await files.chmod('/m/a', 0o600)) ?? '',
  makeDirectory: async (_input, { files }) => JSON.stringify(await files.makeDirectory('/m/d')) ?? '',
  identify: async (_input, { files }) => JSON.stringify(await files.write('/m/a', 'x')) ?? '',
};

const OWN_CALLER = 'the caller passed it, and gets the error';
const NO_APP = 'there is no app, so there is no log';
const UNMASKED = 'only an app masks';

/** A method of an MCP client that a user passes. */
const inMcpClient =
  (method: 'callTool' | 'listTools' | 'close'): Place['reach'] =>
  async (call) => {
    const whole = {
      callTool: async () => ({ content: [], structuredContent: { result: 1 } }),
      listTools: async () => ({ tools: [] }),
      close: async () => {},
    };
    const client = createClient({ ...whole, [method]: call } as never);
    const outcome = await client.call('F', {}, { timeout: HANG_TIMEOUT });
    const list = client.list().catch(() => {});
    const closed = client.close();
    await Promise.race([Promise.all([list, closed]), new Promise((resolve) => setTimeout(resolve, 20))]);
    return [outcomeOf('mcp client', outcome)];
  };

/** A response that breaks a rule, so that the callback is called. */
const inFramework =
  (option: 'report' | 'clock'): Place['reach'] =>
  async (call) => {
    const options = { mode: 'repair' as const, report: () => {}, [option]: call as never };
    const body = { success: true, content: [{ type: 'text', text: 'x' }], data: 1 };
    const onExpress = express();
    onExpress.use(forExpress(options));
    onExpress.get('/', (_request, response) => void response.json(body));
    const server = onExpress.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const seen = await http((path) => fetch(`http://127.0.0.1:${port}${path}`), '/');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));

    const onHono = new Hono();
    onHono.use(forHono(options));
    onHono.get('/', (context) => context.json(body));
    const fromHono = await onHono.request('/');

    const onFastify = fastify();
    onFastify.register(forFastify(options));
    onFastify.get('/', async () => body);
    const fromFastify = await onFastify.inject('/');
    await onFastify.close();
    return [
      { ...seen, wire: 'express' },
      { wire: 'hono', code: fromHono.ok ? 'OK' : 'failed', text: await fromHono.text() },
      { wire: 'fastify', code: fromFastify.statusCode === 200 ? 'OK' : 'failed', text: fromFastify.body },
    ];
  };

const inWrapTool =
  (part: (call: Call) => { readonly fn?: Call; readonly options?: object }): Place['reach'] =>
  async (call) => {
    const { fn = fine, options } = part(call);
    const seen = ['envelope', 'mcp'].map(async (profile): Promise<Seen> => {
      const tool = wrapTool(fn as () => unknown, { onError: () => {}, ...options, profile: profile as 'envelope' });
      const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), 50));
      const answer = (await Promise.race([tool(), late])) as { success?: boolean; isError?: boolean } | 'late';
      if (answer === 'late') return { wire: profile, code: 'hangs', text: '' };
      const isOk = answer.success === true || answer.isError === false;
      return { wire: profile, code: isOk ? 'OK' : 'failed', text: JSON.stringify(answer) };
    });
    return Promise.all(seen);
  };

const OFFLINE = {
  throws: ['OK', 'UNAVAILABLE'],
  rejects: ['OK', 'UNAVAILABLE'],
  hangs: ['OK', 'TIMEOUT'],
  nonsense: ['OK', 'UNAVAILABLE', 'UNKNOWN_ERROR', 'INTERNAL_ERROR', 'INVALID_RESPONSE_FORMAT'],
};
const NO_APP_AT_ALL = { unlogged: NO_APP, unmasked: UNMASKED };

type Row = readonly [
  id: string,
  reach: Place['reach'],
  answers: Place['answers'],
  more?: Pick<Place, 'unlogged' | 'unmasked'>,
];
const says: FunctionDefinition['run'] = async (_input, { log }) => (log.info('said'), 'fine');
const table: readonly Row[] = [
  ['Call.onChunk', inCall('onChunk', () => yielding('fine')), failing('OK')],
  ['Call.onClosing', inCall('onClosing', () => yielding(NaN)), always('INVALID_OUTPUT'), { unlogged: OWN_CALLER }],
  ['Call.onLog', inCall('onLog', says), FINE, { unlogged: OWN_CALLER }],
  ['Call.onDisconnect', inCall('onDisconnect', says), FINE, { unlogged: OWN_CALLER }],
  ['FunctionDefinition.run', inFunction((run) => ({ run })), failing('INVALID_OUTPUT')],
  [
    'AsyncIterator.next',
    inFunction((next) => ({ run: () => ({ [Symbol.asyncIterator]: () => ({ next }) }) })),
    failing(['INVALID_OUTPUT', 'INTERNAL_ERROR']),
  ],
  ['FunctionDefinition.describe', inFunction((describe) => ({ describe: describe as never })), FINE],
  [
    'zod: refinement of an argument',
    inFunction((call) => ({ input: input(z.string().default('x').refine(call)) })),
    failing(['OK', 'INVALID_ARGUMENTS', 'INTERNAL_ERROR']),
  ],
  [
    'zod: transform of an argument',
    inFunction((call) => ({ input: input(z.string().default('x').transform(call)) })),
    failing(['OK', 'INTERNAL_ERROR']),
  ],
  [
    'zod: refinement of a result',
    inFunction((call) => ({ output: z.string().refine(call).describe('A word') })),
    failing(['OK', 'INVALID_OUTPUT', 'INTERNAL_ERROR']),
  ],
  ['Schema: input', inFunction((call) => ({ input: unknownLibrary(call) as never })), failing('INTERNAL_ERROR')],
  ['Schema: output', inFunction((call) => ({ output: unknownLibrary(call) as never })), failing('INTERNAL_ERROR')],
  ['Middleware', inApp((call) => ({ middleware: [call as never] })), failing('INTERNAL_ERROR')],
  ['AuditSink', inApp((call) => ({ audit: { to: call as never } })), FINE],
  ['ObservingSink.begin', inApp((call) => ({ audit: { to: { begin: call as never } } })), FINE],
  [
    'ObservingSink.begin.run',
    inApp((call) => ({ audit: { to: { begin: () => ({ run: call as never, end: () => {} }) } } })),
    FINE,
  ],
  ['ObservingSink.begin.end', inApp((call) => ({ audit: { to: { begin: () => ({ end: call as never }) } } })), FINE],
  ['Clock', inApp((call) => ({ clock: call as never, check: 'repair' })), FINE],
  ['WrapOptions.clock', inWrapTool((clock) => ({ options: { clock } })), FINE, { unlogged: NO_APP }],
  ['CheckResponsesOptions.report', inFramework('report'), FINE, { unlogged: NO_APP }],
  ['CheckResponsesOptions.clock', inFramework('clock'), FINE, { unlogged: NO_APP }],
  [
    'zod: message of a refinement',
    inFunction((error) => ({
      input: input(
        z
          .string()
          .default('x')
          .refine(() => false, { error: error as never }),
      ),
    })),
    always(ANY),
    { unlogged: 'zod may take what it returns for no message, and say its own' },
  ],
  [
    'ObservingSink.begin.trace',
    (call, world) =>
      startTask(appOf(world, { ...TASK, audit: { to: { begin: () => ({ trace: call as never, end: () => {} }) } } })),
    FINE,
  ],
  [
    'FunctionDefinition.beforeTask',
    (call, world) => startTask(appOf(world, { functions: [{ ...TASK.functions[0]!, beforeTask: call }] })),
    failing('OK'),
  ],
  [
    'wrapTool(fn)',
    inWrapTool((fn) => ({ fn })),
    { throws: 'failed', rejects: 'failed', hangs: 'hangs', nonsense: ['OK', 'failed'] },
    NO_APP_AT_ALL,
  ],
  ['WrapOptions.describe', inWrapTool((describe) => ({ options: { describe } })), FINE, { unlogged: NO_APP }],
  [
    'WrapOptions.onError',
    inWrapTool((onError) => ({ fn: throwing(new Error('x')), options: { onError } })),
    always('failed'),
    { unlogged: NO_APP },
  ],
  ...(['debug', 'info', 'warn', 'error'] as const).map((level): Row => [`Log.${level}`, logging(level), FINE]),
  ...Object.entries(FILES).map(([name, use]): Row => [`Folder.${name}`, inFolder(name, use), failing(ANY)]),
  ...(['callTool', 'listTools', 'close'] as const).map((method): Row => [
    `McpClient.${method}`,
    inMcpClient(method),
    OFFLINE,
    NO_APP_AT_ALL,
  ]),
];

export const places: readonly Place[] = [
  ...table.map(([id, reach, answers, more]) => ({ id, reach, answers, ...more })),
  {
    id: 'AsyncIterator.return',
    reach: inFunction((end) => ({
      run: () => ({ [Symbol.asyncIterator]: () => ({ next: async () => ({ value: NaN }), return: end }) }),
    })),
    answers: always('INVALID_OUTPUT'),
  },
  {
    id: 'the stream of a returned file, where it must become JSON',
    reach: async (call, world) => {
      const stream = { [Symbol.asyncIterator]: () => ({ next: call }) } as AsyncIterable<Uint8Array>;
      const file = { ...facts, output: { ...forms.file, description: 'A file' }, run: () => ({ stream }) };
      const app = appOf(world, { functions: [file] });
      const inProcess = outcomeOf('process', await app.call('F', {}));
      const asked = { name: 'functions.F', arguments: {} };
      return [inProcess, ...(await overMcp(app, world.isTypical, 'tools/call', asked))];
    },
    answers: failing('INTERNAL_ERROR'),
  },
  {
    id: 'AppOptions.start',
    // Not over sockets: a server does not listen if it fails.
    reach: (start, world) => onWires(appOf(world, { start: start as never }), false),
    answers: failing(['OK', 'INTERNAL_ERROR']),
  },
  {
    id: 'AppOptions.stop',
    reach: async (stop, world) => {
      const app = appOf(world, { stop, limits: { drain: 20 } });
      const outcome = await app.call('F', {});
      await app.close();
      return [outcomeOf('process', outcome)];
    },
    answers: FINE,
  },
  {
    id: 'ResourceDefinition.read',
    reach: async (read, world) => {
      const resource = defineResource({ uri: 'a://b', name: 'R', description: 'R', read: read as never });
      const app = appOf(world, { resources: [resource] });
      const seen = await overHttp(app, world.isTypical, (send) => [
        http(send, `/resources/${encodeURIComponent('a://b')}`),
      ]);
      return [...seen, ...(await overMcp(app, world.isTypical, 'resources/read', { uri: 'a://b' }))];
    },
    answers: failing(ANY),
  },
  {
    id: 'PromptDefinition.run',
    reach: (run, world) => {
      const prompt = definePrompt({ name: 'P', description: 'P', run: run as never });
      return overMcp(appOf(world, { prompts: [prompt] }), world.isTypical, 'prompts/get', { name: 'P' });
    },
    answers: failing('INVALID_OUTPUT'),
  },
  {
    id: 'ResourceDefinition.list',
    reach: (list, world) => {
      const resource = defineResource({
        uri: 'a://{b}',
        name: 'R',
        description: 'R',
        list: list as never,
        read: fine,
      });
      return overMcp(appOf(world, { resources: [resource] }), world.isTypical, 'resources/list', {});
    },
    answers: failing(ANY),
  },
  {
    id: 'Complete',
    reach: async (call, world) => {
      const complete = { b: call as never };
      const resource = defineResource({ uri: 'a://{b}', name: 'R', description: 'R', complete, read: fine });
      const prompt = definePrompt({ name: 'P', description: 'P', complete, run: fine });
      const app = appOf(world, { resources: [resource], prompts: [prompt] });
      const argument = { name: 'b', value: 'x' };
      const ofResource = { ref: { type: 'ref/resource', uri: 'a://{b}' }, argument };
      const ofPrompt = { ref: { type: 'ref/prompt', name: 'P' }, argument };
      return [
        ...(await overMcp(app, world.isTypical, 'completion/complete', ofResource)),
        ...(await overMcp(app, world.isTypical, 'completion/complete', ofPrompt)),
      ];
    },
    answers: failing(ANY),
  },
  {
    id: 'CallOptions.onProgress',
    reach: async (call, world) => {
      const functions = inRun((_input, { progress }) => (progress(1, 2), 'fine'));
      const onProgress = call as never;
      const app = appOf(world, { functions });
      return [
        outcomeOf('process', await app.call('F', {}, { onProgress })),
        outcomeOf('respond', (await app.respond({ name: 'F', onProgress })).outcome),
      ];
    },
    answers: FINE,
    unlogged: OWN_CALLER,
  },
  ...(['can', 'takes', 'ask'] as const).map((method): Place => ({
    id: `Asker.${method}`,
    reach: async (call, world) => {
      const functions = inRun(async (_input, { ask, canAsk }) => {
        canAsk();
        await ask({ type: 'object', properties: {} }, 'What?');
        return 'fine';
      });
      const app = appOf(world, { functions });
      const accepted = async () => ({ action: 'accept', content: {} });
      const asker = { can: () => true, takes: () => true, ask: accepted, [method]: call };
      const { outcome } = await app.respond({ name: 'F', asker: asker as never, timeout: HANG_TIMEOUT });
      return [outcomeOf('respond', outcome)];
    },
    answers: {
      throws: 'INTERNAL_ERROR',
      rejects: ['INTERNAL_ERROR', 'INPUT_REQUIRED', 'OK'],
      // Waiting for input does not count against the timeout: only the caller can end it.
      hangs: method === 'ask' ? [] : ['OK', 'INPUT_REQUIRED'],
      nonsense: ['OK', 'INVALID_ARGUMENTS', 'INPUT_REQUIRED', 'INTERNAL_ERROR'],
    },
    unlogged: OWN_CALLER,
  })),
  {
    id: 'Observers.observe(listener)',
    reach: async (call, world) => {
      const app = appOf(world, {});
      app.events.observe(call as never);
      app.records.observe(call as never);
      return [outcomeOf('process', await app.call('F', {}))];
    },
    answers: FINE,
  },
  {
    id: 'Changes.listen(listener)',
    reach: async (call, world) => {
      const app = appOf(world, {});
      let told = 0;
      app.changes.listen(call as never);
      app.changes.listen(() => void told++);
      app.changes.listChanged('tools');
      app.changes.resourceUpdated('a://b');
      return [{ wire: 'process', code: told === 2 ? 'OK' : `told ${told}`, text: '' }];
    },
    answers: FINE,
  },
  {
    id: 'FileStore.open',
    reach: async (open, world) => {
      const app = appOf(world, { functions: inRun(async (_input, { files }) => files.readText('/a')) });
      return [outcomeOf('process', await app.call('F', {}, { files: { open: open as never } }))];
    },
    // A promise is not a Files object, so calling its methods fails.
    answers: always('INTERNAL_ERROR'),
  },
  ...(['read', 'close'] as const).map((method): Place => ({
    id: `OpenFile.${method}`,
    reach: (call, world) => {
      const file = { size: 1, read: async () => new Uint8Array(1), close: async () => {}, [method]: call };
      return inFolder('open', FILES['open']!)(async () => file, world);
    },
    answers: failing(ANY),
  })),
  {
    id: 'ClientOptions.fetch',
    reach: async (call) => {
      const answers = (['http', 'openapi', 'mcp'] as const).map(async (wire) => {
        const client = createClient('http://127.0.0.1:9/x', { wire, fetch: call as never });
        return outcomeOf(wire, await client.call('F', {}, { timeout: HANG_TIMEOUT }));
      });
      return Promise.all(answers);
    },
    answers: {
      throws: ['UNAVAILABLE', 'INTERNAL_ERROR'],
      rejects: ['UNAVAILABLE', 'INTERNAL_ERROR'],
      hangs: 'TIMEOUT',
      nonsense: ['UNAVAILABLE', 'INTERNAL_ERROR', 'TIMEOUT'],
    },
    ...NO_APP_AT_ALL,
  },
  {
    id: 'EnvelopeOptions.clock',
    reach: async (clock) => {
      const { success, timestamp } = createSuccessResponse(1, { clock: clock as never });
      return [{ wire: 'builder', code: success && !Number.isNaN(Date.parse(timestamp)) ? 'OK' : 'failed', text: '' }];
    },
    answers: FINE,
    unlogged: NO_APP,
  },
  {
    id: 'fromThrowable(fn)',
    reach: async (call) => {
      const late = new Promise((resolve) => setTimeout(resolve, 20, { ok: false, error: { code: 'hangs' } }));
      const outcome = (await Promise.race([Promise.resolve(fromThrowable(call)()), late])) as {
        ok: boolean;
        error?: { code: string };
      };
      return [{ wire: 'builder', code: outcome.ok ? 'OK' : (outcome.error?.code ?? ''), text: '' }];
    },
    answers: { throws: 'INTERNAL_ERROR', rejects: 'INTERNAL_ERROR', hangs: 'hangs', nonsense: 'OK' },
    unlogged: NO_APP,
  },
];

/** Places that the table has under another name, or that need no test, and why. */
export const elsewhere: Readonly<Record<string, string>> = {
  'FunctionOptions.run': 'FunctionDefinition.run',
  'FunctionOptions.describe': 'FunctionDefinition.describe',
  'FunctionOptions.beforeTask': 'FunctionDefinition.beforeTask',
  'TestContextOptions.calls': 'of a test, which gets its errors',
  'PromptDefinition.complete': 'Complete',
  'ResourceDefinition.complete': 'Complete',
  'AppOptions.clock': 'Clock',
  'AppOptions.middleware': 'Middleware',
  LogListener: 'Call.onLog',
  'SharedState.subscribe(listener)': 'of the wires; its errors are logged',
  'SharedState.subscribe(onMissed)': 'of the wires; its errors are logged',
  'AuditOptions.to': 'AuditSink',
  'Call.onProgress': 'CallOptions.onProgress',
  'Call.onStart': 'as CallOptions.onProgress: its errors are ignored',
  'Call.onHeader': 'as CallOptions.onProgress: its errors are ignored',
  'ClientStreamOptions.onProgress': 'as CallOptions.onProgress: its errors are ignored',
  'map(change)': 'pure: the caller of map gets its errors',
  'createProfiles(clock)': 'Clock',
  'Authenticator.authenticate': 'in test/unit/access.test.ts',
  'AccessOptions.policy': 'in test/unit/access.test.ts',
  'AccessOptions.user': 'in test/unit/access.test.ts',
  DeclaredScopes: 'in test/unit/access.test.ts',
  'custom(authenticate)': 'Authenticator.authenticate',
  'TokenOptions.scopes': 'part of Authenticator.authenticate, which then throws',
  'CredentialParts.outer': 'EmbedOptions.principal',
  Policy: 'AccessOptions.policy',
  'FunctionDefinition.scopes': 'DeclaredScopes',
  'PromptDefinition.scopes': 'DeclaredScopes',
  'ResourceDefinition.scopes': 'DeclaredScopes',
  'ClientOptions.credentials': 'in test/client/credentials.test.ts: what it throws is the outcome',
  GetCredential: 'ClientOptions.credentials',
  'EmbedOptions.principal': 'in test/access/embedding.test.ts: it throws, hangs, or returns no principal',
  AskOuter: 'EmbedOptions.principal',
  'NodeHandler.call(next)': 'of the server around the app, which gets its errors',
};

/** Interfaces that we implement and users call, by what they are. */
export const ours: Readonly<Record<string, string>> = {
  'made by createApp':
    'Access Admit App AppShare AppStore AppTasks CallTrace Changes FileHandle Observers RegisteredFunction Report',
  'what an app has': 'Resources Respond Results SharedState UriTemplate',
  'given to functions and middleware': 'Asking CallFunction Context Files Next Variables',
  'made by createClient': 'Client TaskHandle TypedCall TypedResume TypedStart TypedStream',
  'the same without types': 'UntypedCall UntypedResume UntypedStart UntypedStream',
  'made by other functions':
    'AuditFile Define DefineFunction HonoMiddleware NodeHandler NodeHost NodeMiddleware Profile',
  'data that our functions use': 'Callable Described Rule',
};
