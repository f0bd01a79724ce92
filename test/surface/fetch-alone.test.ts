// Imports nothing from Node on purpose: this must work in any runtime with Request and Response.
import { createApp, defineFunction } from 'everywire';
import { expect, it } from 'vitest';
import { proves } from '../promises.ts';

const app = createApp({
  name: 'Anywhere',
  version: '1.0.0',
  limits: { body: 100 },
  functions: [
    defineFunction({
      name: 'Greet',
      description: 'Greets',
      input: { type: 'object', properties: { who: { type: 'string', description: 'Whom' } }, required: ['who'] },
      output: { type: 'string', description: 'A greeting' },
      run: ({ who }) => `Hello, ${who}`,
    }),
  ],
});

const greet = (body: BodyInit) =>
  app.fetch(
    new Request('https://any.example/functions/Greet', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit),
  );

it(proves('http.fetch', 'responds to a call'), async () => {
  const response = await greet('{"who":"you"}');
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('{"result":"Hello, you"}');
});

it(proves('http.fetch', 'reads a body in chunks, up to the limit'), async () => {
  const pieces = (texts: readonly string[]) =>
    new ReadableStream({
      start(controller) {
        for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    });
  expect(await (await greet(pieces(['{"who":', '"two"}']))).text()).toBe('{"result":"Hello, two"}');
  expect((await greet(pieces(['{"who":"', 'a'.repeat(100), '"}']))).status).toBe(413);
});

it(proves('http.fetch', 'serves the document'), async () => {
  const response = await app.fetch(new Request('https://any.example/openapi.json'));
  expect(await response.json()).toMatchObject({ openapi: '3.1.1', info: { title: 'Anywhere' } });
});

it(proves('http.fetch', 'responds to a body that breaks off'), async () => {
  const broken = new ReadableStream({
    pull(controller) {
      controller.error(new Error('gone'));
    },
  });
  const response = await greet(broken);
  expect([response.status, await response.text()]).toEqual([400, '{"error":"The body could not be read"}']);
});
