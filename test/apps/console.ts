import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp, defineResource, Failure, forms } from 'everywire';
import { z } from 'zod';
import { fn, silent, untilCancelled } from '../kit/functions.ts';

const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)>';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SVG = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(5)"/>`).toString('base64');

const given = z.object({ text: z.string(), list: z.array(z.number().nullable()), flag: z.boolean() });
const code = z.object({ code: z.string().min(5).describe('The code') });

const fail = fn(
  'Fail',
  {
    input: z.object({ code: z.enum(['NOT_READY', 'GONE']) }),
    errors: { NOT_READY: { description: 'It is too early.', status: 409 } },
  },
  (input) => new Failure(input.code, `It is ${input.code}`),
);

const hostile = fn(
  'Hostile',
  {
    title: HOSTILE,
    description: `${HOSTILE} [click](javascript:alert(3)) "onload=alert(4)`,
    tags: [HOSTILE],
    input: z.object({ [HOSTILE]: z.string().optional().describe(HOSTILE) }),
    output: z.string().describe(HOSTILE),
    errors: { BAD: { description: HOSTILE } },
    examples: [{ title: HOSTILE, input: {} }],
  },
  () => HOSTILE,
);

const links = fn('Links', { output: forms.content }, () => [
  { type: 'text', text: HOSTILE },
  { type: 'image', mimeType: 'image/png', data: PIXEL },
  { type: 'image', mimeType: 'image/svg+xml', data: SVG },
  { type: 'resource_link', uri: 'javascript:alert(6)', name: HOSTILE },
  { type: 'resource_link', uri: 'https://example.com/', name: 'A link' },
]);

const report = fn(
  'Report',
  { input: z.object({ fails: z.boolean() }), output: forms.file, errors: { NONE: { description: 'There is none.' } } },
  ({ fails }) => (fails ? new Failure('NONE', 'No report') : new File(['hello'], 'a.txt', { type: 'text/plain' })),
);

const upload = fn(
  'Upload',
  {
    input: z.object({
      file: z.file().describe('The file'),
      note: z.string().describe('Anything'),
      tags: z.array(z.string()).optional().describe('Words'),
      place: z.object({ row: z.int() }).optional().describe('Where'),
    }),
    output: z.object({
      name: z.string(),
      type: z.string(),
      size: z.int(),
      note: z.string(),
      tags: z.array(z.string()).optional(),
      row: z.int().optional(),
    }),
  },
  ({ file: { name, type, size }, note, tags, place }) => {
    return { name, type, size, note, ...(tags && { tags }), ...(place && { row: place.row }) };
  },
);

/** How long a text is, and what the functions may use of the machine. */
const measure = fn(
  'Measure',
  {
    input: z.object({ text: z.string() }),
    output: z.object({ length: z.int(), variables: z.record(z.string(), z.string()), files: z.array(z.string()) }),
  },
  async ({ text }, { env, files }) => ({
    length: text.length,
    variables: env.list(),
    files: (await files.list('/').catch(() => [])).map(({ name }) => name),
  }),
);

export default createApp({
  name: 'Console',
  version: '1.0.0',
  description: HOSTILE,
  functions: [
    fn('Echo', { description: 'Returns its arguments', input: given, output: given }, (input) => input),
    fail,
    fn('Random', { deprecated: true, output: z.number() }, () => Math.random()),
    fn('Login', { input: z.object({ password: z.string().meta({ format: 'password' }) }) }, () => {}),
    fn('Count', { input: z.object({ to: z.int() }), yields: z.int(), output: z.int() }, async function* ({ to }) {
      for (let i = 1; i <= to; i++) yield i;
      return to;
    }),
    fn('Wait', {}, (_, context) => {
      context.progress(1, 2, 'half');
      return untilCancelled(context);
    }),
    fn('Ask', { output: z.string() }, async (_, { ask }) => {
      return `Hello, ${(await ask(z.object({ name: z.string().describe('A name') }), 'Your name?')).name}`;
    }),
    hostile,
    links,
    fn('Large', { output: z.array(z.string()) }, () => Array.from({ length: 5120 }, () => 'x'.repeat(1021))),
    report,
    fn('Long', { output: z.string() }, () => 'x'.repeat(100_000)), // more than the server sends to the page
    fn('Big', { input: z.object({ n: z.number() }), output: z.number() }, ({ n }) => n),
    fn('AskNow', { output: z.string() }, async (_, { ask }) => (await ask(code, 'Which code?')).code),
    fn('AskLater', { task: 'always', output: z.string() }, async (_, { ask }) => (await ask(code, 'Which code?')).code),
    fn('Endless', { task: 'always' }, (_, context) => {
      context.progress(1, 2);
      return untilCancelled(context);
    }),
    fn(
      'Chunks',
      { input: z.object({ count: z.int(), size: z.int() }), yields: z.string(), output: z.int() },
      async function* ({ count, size }) {
        for (let i = 1; i <= count; i++) yield `${i} ${'x'.repeat(size)}`;
        return count;
      },
    ),
    upload,
    measure,
    // Notes its process, and one that it starts, in a folder, and never answers.
    fn('Hang', {}, () => {
      const started = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 'inherit'] });
      for (const pid of [process.pid, started.pid]) writeFileSync(join(process.env['HANG_FOLDER']!, String(pid)), '');
      return new Promise(() => {});
    }),
  ],
  resources: [
    defineResource({
      uri: 'notes://zürich→',
      name: 'note',
      description: 'A resource whose address is not ASCII',
      read: () => 'By the lake',
    }),
  ],
  log: silent,
});
