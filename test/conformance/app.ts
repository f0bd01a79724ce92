// The fixtures that the MCP conformance suite expects, defined with the public API.
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, defineFunction, definePrompt, defineResource, forms } from 'everywire';
import type { Context, JsonSchema } from 'everywire';
import { mcpContent } from 'everywire/responses';
import { object, silent, string } from '../kit/functions.ts';

/** One red pixel, and a sound of one sample. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SOUND = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

/** Bytes of the result of a task: more than that fails. */
const MOST_RESULT = 100_000;

type Blocks = ReturnType<(typeof mcpContent)[keyof typeof mcpContent]>[];

/** Under its own name on every wire. */
const named = (name: string, description = `Fixture ${name}`) => ({ name, operationId: name, description });

const output = { ...forms.content, description: 'What the suite expects' };

/** A tool that returns content. */
const tool = (name: string, run: (context: Context) => Blocks | Promise<Blocks>) =>
  defineFunction({ ...named(name), output, run: (_input, context) => run(context) });

const say = (text: string): Blocks => [mcpContent.text(text)];
const embedded = (uri: string, text: string, mimeType = 'text/plain') => mcpContent.resource({ uri, mimeType, text });
const textField = (name: string) => object({ [name]: { type: 'string' } });
const confirmation = object({ ok: { type: 'boolean' } });
const sampling = (text: string, maxTokens = 100) => ({
  messages: [{ role: 'user', content: { type: 'text', text } }],
  maxTokens,
});
const spoken = (result: unknown) => (result as { content?: { text?: string } }).content?.text ?? JSON.stringify(result);

const titled = (what: string) =>
  ['First', 'Second', 'Third'].map((one, i) => ({ const: `value${i + 1}`, title: `${one} ${what}` }));

const asking = (name: string, message: string, required: readonly string[], properties: Record<string, JsonSchema>) =>
  defineFunction({
    ...named(name),
    input: { type: 'object', properties: { message: { type: 'string', description: 'What to ask' } } },
    output,
    run: async (input, context) =>
      say(
        `User response: ${JSON.stringify(await context.ask({ type: 'object', properties, required }, input.message ?? message))}`,
      ),
  });

/** A tool that may become a task, or always does. */
const job = (
  name: string,
  task: 'allowed' | 'always',
  fields: readonly string[],
  run: (input: Readonly<Record<string, any>>, context: Context) => Blocks | Promise<Blocks>,
  more: object = {},
) =>
  defineFunction({
    ...named(name),
    input: {
      type: 'object',
      properties: Object.fromEntries(
        fields.map((field) => [field, { type: field === 'seconds' ? 'number' : 'string', description: field }]),
      ),
    } as JsonSchema,
    output,
    task,
    run: run as never,
    ...more,
  });

const consent = object({ confirm: { type: 'boolean' } });

const askName = (context: Context) => context.ask(textField('name'), 'What is your name?', { name: 'user_name' });

const greet = async (context: Context) => say(`Hello, ${(await askName(context)).name}!`);

const jobs = [
  defineFunction({
    ...named('greet', 'Greets at once'),
    input: object({ name: string }),
    output,
    run: ({ name }) => say(`Hello, ${name}!`),
  }),
  job('slow_compute', 'allowed', ['seconds', 'label'], async ({ seconds = 1, label = '' }, { signal, progress }) => {
    progress(0, seconds, 'Computing');
    await sleep(seconds * 1000, undefined, { signal });
    return say(`Computed ${label} in ${seconds} s`);
  }),
  job('failing_job', 'always', [], async () => {
    await sleep(1000);
    throw new Error('This job fails');
  }),
  job('protocol_error_job', 'allowed', [], () => say('x'.repeat(MOST_RESULT))),
  job('confirm_delete', 'allowed', ['filename'], async ({ filename }, context) => {
    const { confirm } = await context.ask(consent, `Delete ${filename}?`, { name: 'consent' });
    return say(confirm ? `Deleted ${filename}` : 'Kept');
  }),
  job('multi_input', 'allowed', [], async (_input, context) => {
    const [{ name }, { confirm }] = await Promise.all([
      askName(context),
      context.ask(consent, 'Is that your name?', { name: 'consent' }),
    ]);
    return say(`${name}: ${confirm}`);
  }),
  job('test_tool_with_task', 'allowed', [], (_input, context) => greet(context), {
    beforeTask: async (_input: unknown, context: Context) => void (await askName(context)),
  }),
];

const functions = [
  ...jobs,
  tool('test_simple_text', () => say('This is a simple text response for testing.')),
  tool('test_image_content', () => [mcpContent.image(PIXEL, 'image/png')]),
  tool('test_audio_content', () => [mcpContent.audio(SOUND, 'audio/wav')]),
  tool('test_embedded_resource', () => [embedded('test://embedded-resource', 'This is an embedded resource content.')]),
  tool('test_multiple_content_types', () => [
    mcpContent.text('Multiple content types test:'),
    mcpContent.image(PIXEL, 'image/png'),
    embedded('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
  ]),
  tool('test_tool_with_logging', async ({ log }) => {
    log.info('Tool execution started');
    await sleep(50);
    log.info('Tool processing data');
    await sleep(50);
    log.info('Tool execution completed');
    return say('Tool with logging executed successfully');
  }),
  tool('test_tool_with_progress', async (context) => {
    for (const done of [0, 50, 100]) {
      context.progress(done, 100, `Completed step ${done} of 100`);
      await sleep(50);
    }
    return say('Progress reported');
  }),
  tool('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  }),
  defineFunction({
    ...named('test_sampling', 'Asks the model of the caller'),
    input: object({ prompt: string }),
    output,
    run: async ({ prompt }, context) =>
      say(`LLM response: ${spoken(await context.request('sampling/createMessage', sampling(prompt)))}`),
  }),
  asking('test_elicitation', 'Who are you?', ['username', 'email'], {
    username: { type: 'string', description: 'A name' },
    email: { type: 'string', description: 'An address' },
  }),
  asking('test_elicitation_sep1034_defaults', 'Please review and update the form fields with defaults', [], {
    name: { type: 'string', description: 'User name', default: 'John Doe' },
    age: { type: 'integer', description: 'User age', default: 30 },
    score: { type: 'number', description: 'User score', default: 95.5 },
    status: { type: 'string', description: 'User status', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', description: 'Verification status', default: true },
  }),
  asking('test_elicitation_sep1330_enums', 'Please select options from the enum fields', [], {
    untitledSingle: { type: 'string', description: 'One', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', description: 'One, by title', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string',
      description: 'One, the old way',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {
      type: 'array',
      description: 'Several',
      minItems: 1,
      maxItems: 3,
      items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    },
    titledMulti: {
      type: 'array',
      description: 'Several, by title',
      minItems: 1,
      maxItems: 3,
      items: { anyOf: titled('Choice') },
    },
  }),
  tool('test_logging_tool', ({ log }) => {
    log.info('Logged without being asked to');
    return say('Logged');
  }),
  tool('test_streaming_elicitation', async (context) => {
    context.progress(1, 2, 'About to ask');
    return greet(context);
  }),
  defineFunction({
    ...named('test_x_mcp_header', 'An argument that travels in a header, too'),
    input: {
      type: 'object',
      properties: {
        region: { type: 'string', description: 'In Mcp-Param-Region', 'x-mcp-header': 'Region' },
        level: { type: 'integer', description: 'Only an argument' },
      },
    },
    output,
    run: ({ region }) => say(`region=${region ?? '<none>'}`),
  }),
  defineFunction({
    ...named('json_schema_2020_12_tool', 'A schema that uses much of JSON Schema 2020-12'),
    input: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string', description: 'Who' },
        address: { $ref: '#/$defs/address', description: 'Where' },
        contactMethod: { type: 'string', enum: ['phone', 'email'], description: 'How' },
        phone: { type: 'string', description: 'A number' },
        email: { type: 'string', description: 'An address' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's keyword
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    output,
    run: () => say('JSON Schema 2020-12 tool called'),
  }),
  tool('test_missing_capability', async (context) =>
    say(spoken(await context.request('sampling/createMessage', sampling('Hello')))),
  ),
  tool('test_input_required_result_elicitation', greet),
  tool('test_input_required_result_sampling', async (context) => {
    const question = sampling('What is the capital of France?');
    const answer = await context.request('sampling/createMessage', question, { name: 'capital_question' });
    return say(`Sampling response: ${spoken(answer)}`);
  }),
  tool('test_input_required_result_list_roots', async (context) => {
    const { roots } = (await context.request('roots/list', {}, { name: 'client_roots' })) as {
      roots: { uri: string }[];
    };
    return say(`Client exposed ${roots.length} root(s): ${roots.map(({ uri }) => uri).join(', ')}`);
  }),
  tool('test_input_required_result_request_state', async (context) => {
    await context.ask(confirmation, 'Please confirm', { name: 'confirm' });
    return say('state-ok: requestState verified and confirmation received');
  }),
  tool('test_input_required_result_multiple_inputs', async (context) => {
    const [{ name }, greeting, listed] = await Promise.all([
      askName(context),
      context.request('sampling/createMessage', sampling('Generate a greeting', 50), { name: 'greeting' }),
      context.request('roots/list', {}, { name: 'client_roots' }) as Promise<{ roots: unknown[] }>,
    ]);
    return say(`${spoken(greeting)} ${name}, ${listed.roots.length} root(s) visible`);
  }),
  tool('test_input_required_result_multi_round', async (context) => {
    const { name } = await context.ask(textField('name'), 'Step 1: What is your name?', { name: 'step1' });
    const { color } = await context.ask(textField('color'), 'Step 2: What is your favorite color?', { name: 'step2' });
    return say(`Multi-round complete: ${name} likes ${color}`);
  }),
  tool('test_input_required_result_tampered_state', async (context) => {
    await context.ask(confirmation, 'Please confirm', { name: 'confirm' });
    return say('integrity-ok: requestState verified');
  }),
  tool('test_input_required_result_capabilities', async (context) => {
    const questions: Promise<unknown>[] = [];
    if (context.canAsk()) questions.push(askName(context));
    if (context.canAsk('sampling/createMessage'))
      questions.push(context.request('sampling/createMessage', sampling('Greet me', 50), { name: 'greeting' }));
    if (context.canAsk('roots/list')) questions.push(context.request('roots/list', {}, { name: 'client_roots' }));
    await Promise.all(questions);
    return say('Capability-aware input requests fulfilled');
  }),
  ...(['tool', 'prompt'] as const).map((kind) =>
    tool(`test_trigger_${kind}_change`, () => {
      app.changes.listChanged(`${kind}s`);
      return say(`${kind}s_list_changed published`);
    }),
  ),
];

const resources = (
  [
    ['static-text', 'Static Text Resource', 'text/plain', () => 'This is the content of the static text resource.'],
    ['static-binary', 'Static Binary Resource', 'image/png', () => Uint8Array.from(Buffer.from(PIXEL, 'base64'))],
    [
      'template/{id}/data',
      'Resource Template',
      'application/json',
      ({ id }: Record<string, string>) => ({ id, templateTest: true, data: `Data for ID: ${id}` }),
    ],
    ['watched-resource', 'Watched Resource', 'text/plain', () => 'Watched resource content'],
  ] as const
).map(([path, title, mimeType, read]) => {
  const [name = ''] = path.split('/');
  return defineResource({ uri: `test://${path}`, name, title, description: title, mimeType, read } as never);
});

const prompts = [
  definePrompt({
    name: 'test_simple_prompt',
    description: 'A simple prompt without arguments',
    run: () => 'This is a simple prompt for testing.',
  }),
  definePrompt({
    name: 'test_prompt_with_arguments',
    description: 'A prompt with required arguments',
    input: object({ arg1: string, arg2: string }),
    complete: { arg1: () => ['paris', 'park', 'party'] },
    run: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  }),
  definePrompt({
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt that includes an embedded resource',
    input: object({ resourceUri: string }),
    run: ({ resourceUri }) => [
      { role: 'user', content: embedded(resourceUri, 'Embedded resource content for testing.') },
      { role: 'user', content: mcpContent.text('Please process the embedded resource above.') },
    ],
  }),
  definePrompt({
    name: 'test_prompt_with_image',
    description: 'A prompt that includes image content',
    run: () => [
      { role: 'user', content: mcpContent.image(PIXEL, 'image/png') },
      { role: 'user', content: mcpContent.text('Please analyze the image above.') },
    ],
  }),
  definePrompt({
    name: 'test_input_required_result_prompt',
    description: 'A prompt that asks before it begins',
    run: async (_input, asked) => {
      const { context } = await asked.ask(textField('context'), 'What context should the prompt use?', {
        name: 'user_context',
      });
      return `Use the following context: ${context}`;
    },
  }),
];

const app = createApp({
  name: 'Conformance',
  version: '1.0.0',
  description: 'What the official conformance suite asks for.',
  functions,
  resources,
  prompts,
  limits: { result: MOST_RESULT },
  log: silent,
});

export default app;
