// ADR-002, McpServerResponse<T>: each consequence and alternative of that document, under its name. That the compiler
// enforces them is in test/types/responses.ts.
import { createApp, defineFunction, Failure } from 'everywire';
import { checkResponse, failure, fromStatus, fromThrowable, profiles, success, toStatus } from 'everywire/responses';
import type { McpServerResponse, Outcome } from 'everywire/responses';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { proves } from '../promises.ts';

interface ClientDto {
  readonly id: number;
  readonly name: string;
}

const named = (title: string) => proves('response.seeds', title);
const find = fromThrowable((id: number): ClientDto => {
  if (id !== 1) throw new Failure('CLIENT_NOT_FOUND', `No client ${id}`, { details: { id } });
  return { id, name: 'Ada' };
});

describe('Positive Consequences', () => {
  it(named('Robustness & Type Safety: the presence of data or an error is explicit'), () => {
    const found: McpServerResponse<ClientDto> = toStatus(find(1));
    const missing: McpServerResponse<ClientDto> = toStatus(find(2));
    expect(found).toEqual({ status: 'SUCCESS', data: { id: 1, name: 'Ada' } });
    expect(missing).toEqual({
      status: 'ERROR',
      error: { code: 'CLIENT_NOT_FOUND', message: 'No client 2', details: { id: 2 }, retry: false },
    });
    const both = [
      { ...found, error: {} },
      { ...missing, data: 1 },
    ] as const;
    for (const one of both) expect(checkResponse(one, { profile: 'status' })).not.toEqual([]);
  });

  it(named('Improved Developer Experience: one clear pattern for returning results'), async () => {
    const get = defineFunction({
      name: 'GetClient',
      description: 'Finds a client',
      input: z.object({ id: z.int().describe('Which') }),
      output: z.object({ id: z.int(), name: z.string() }).describe('The client'),
      errors: { CLIENT_NOT_FOUND: { description: 'No such client', status: 404 } },
      run: ({ id }) => (id === 1 ? { id, name: 'Ada' } : new Failure('CLIENT_NOT_FOUND', `No client ${id}`)),
    });
    const app = createApp({ name: 'Clients', version: '1', functions: [get], profile: 'status' });
    const call = async (id: number) => {
      const { body } = await app.respond({ name: 'GetClient', input: { id }, caller: { wire: 'test' } }, app.profile);
      return JSON.parse(body) as McpServerResponse<ClientDto>;
    };
    expect(await call(1)).toEqual({ status: 'SUCCESS', data: { id: 1, name: 'Ada' } });
    expect(await call(2)).toMatchObject({ status: 'ERROR', error: { code: 'CLIENT_NOT_FOUND' } });
  });

  it(named('Simplified Client Logic: check the status, then read data or error'), () => {
    const say = (response: McpServerResponse<ClientDto>) =>
      response.status === 'SUCCESS' ? response.data.name : response.error.message;
    expect([say(toStatus(find(1))), say(toStatus(find(2)))]).toEqual(['Ada', 'No client 2']);
  });

  it(named('Extensibility: an error may say more without breaking its readers'), () => {
    const error = { code: 'LATE', message: 'm', retry: true };
    const later = { status: 'ERROR', error: { ...error, errorId: 'e-1', validation: [] } };
    expect(checkResponse(later, { profile: 'status' })).toEqual([]);
    expect(profiles.status.read(later)).toEqual({ ok: false, error });
  });
});

it(named('Negative Consequences: Slightly More Boilerplate, which is one word'), () => {
  expect(success({ id: 1 })).toEqual({ ok: true, data: { id: 1 } });
  expect(failure('GONE', 'No more').ok).toBe(false);
});

it(named('Neutral Consequences: the internal form has no direct impact on the external one'), () => {
  const outcome: Outcome = find(2);
  expect(profiles.plain.render(outcome)).toEqual({ error: 'No client 2' });
  expect(profiles.problem.render(outcome)).toMatchObject({ status: 422, detail: 'No client 2' });
  expect(JSON.stringify(outcome)).not.toContain('422'); // no HTTP in the middle
});

describe('Alternatives Considered', () => {
  it(named('Returning Map<String, Object>: a magic key is data like any other'), () => {
    expect(fromStatus(toStatus(success({ error: 'only a word' })))).toEqual(success({ error: 'only a word' }));
  });
  it(named('Throwing Exceptions: is understood too, and ends in the same value'), () => {
    expect(find(2)).toEqual(failure('CLIENT_NOT_FOUND', 'No client 2', { details: { id: 2 } }));
  });
});
