// Type tests: compiled by `npm run check`, never run. A line under @ts-expect-error must not compile.
import type { CallToolResult as CallToolResultV1 } from '@modelcontextprotocol/sdk/types.js';
import type { CallToolResult as CallToolResultV2 } from '@modelcontextprotocol/server';
import type { Code } from 'everywire';
import { createClient } from 'everywire/client';
import {
  createSuccessResponse,
  failure,
  fromStatus,
  fromThrowable,
  map,
  readResponse,
  success,
  toStatus,
  unwrap,
  wrapTool,
  type Envelope,
  type McpServerResponse,
  type Outcome,
  type SuccessEnvelope,
  type ToolResult,
} from 'everywire/responses';
import { expectTypeOf } from 'vitest';
import type app from '../apps/profiles.ts';

declare const outcome: Outcome<{ n: number }, 'GONE' | 'LATE'>;

// data and error are accessible only after narrowing.
// @ts-expect-error not known to be a success
void outcome.data;
// @ts-expect-error not known to be a failure
void outcome.error;
if (outcome.ok) {
  expectTypeOf(outcome.data).toEqualTypeOf<{ n: number }>();
  // @ts-expect-error a success has no error
  void outcome.error;
} else {
  expectTypeOf(outcome.error.code).toEqualTypeOf<'GONE' | 'LATE'>();
  // @ts-expect-error a failure has no data
  void outcome.data;
}

// The same for the status form.
declare const response: McpServerResponse<string[]>;
// @ts-expect-error not known to be a success
void response.data;
if (response.status === 'SUCCESS') expectTypeOf(response.data).toEqualTypeOf<string[]>();
else expectTypeOf(response.error.message).toEqualTypeOf<string>();
// @ts-expect-error there is no third status
void (response.status === 'PENDING');

// And for the envelope.
declare const envelope: Envelope<number>;
// @ts-expect-error not known to be a failure
void envelope.error;
if (envelope.success) expectTypeOf(envelope.data).toEqualTypeOf<number | undefined>();
else expectTypeOf(envelope.error.code).toEqualTypeOf<string>();

// The helpers keep the types.
expectTypeOf(success(1)).toExtend<Outcome<number>>();
expectTypeOf(failure('GONE', 'x').error.code).toEqualTypeOf<'GONE'>();
expectTypeOf(map(outcome, ({ n }) => String(n))).toEqualTypeOf<Outcome<string, 'GONE' | 'LATE'>>();
expectTypeOf(unwrap(outcome)).toEqualTypeOf<{ n: number }>();
expectTypeOf(toStatus(outcome)).toEqualTypeOf<McpServerResponse<{ n: number }, 'GONE' | 'LATE'>>();
expectTypeOf(fromStatus(response)).toEqualTypeOf<Outcome<string[]>>();
expectTypeOf(fromThrowable((n: number) => n > 1)).toEqualTypeOf<(n: number) => Outcome<boolean>>();
expectTypeOf(fromThrowable(async () => 1)).toEqualTypeOf<() => Promise<Outcome<number>>>();
expectTypeOf(readResponse('x')).toEqualTypeOf<Outcome>();
expectTypeOf(createSuccessResponse({ n: 1 })).toEqualTypeOf<SuccessEnvelope<{ n: number }> & { data: { n: number } }>();
expectTypeOf(wrapTool((n: number) => n)).toEqualTypeOf<(n: number) => Promise<Envelope>>();
expectTypeOf(wrapTool(() => 1, { profile: 'mcp' })).toEqualTypeOf<() => Promise<ToolResult>>();

// Both versions of the MCP SDK accept what the builders return.
expectTypeOf<ToolResult>().toExtend<CallToolResultV1>();
expectTypeOf<ToolResult>().toExtend<CallToolResultV2>();

export async function calls(): Promise<void> {
  const client = createClient<typeof app>('http://localhost:8080');
  const found = await client.call('GetInstance', { id: 'i-1' });
  expectTypeOf(found).toEqualTypeOf<
    Outcome<{ id: string; status: string; cpu?: number }, 'INSTANCE_NOT_FOUND' | Code>
  >();
  if (!found.ok && found.error.code === 'INSTANCE_NOT_FOUND') void found.error.message;
  // @ts-expect-error no such code is declared
  if (!found.ok && found.error.code === 'INSTANCE_NOT_FUOND') void found.error.message;
  expectTypeOf(await client.call('Split')).toEqualTypeOf<Outcome<[string, number], Code>>();
  expectTypeOf(await client.call('Stop')).toEqualTypeOf<Outcome<undefined, Code>>();
  expectTypeOf(await client.call('When', { at: new Date() })).toEqualTypeOf<
    Outcome<{ at: Date; big: bigint; raw: Uint8Array }, Code>
  >();
  // @ts-expect-error the id is a string
  await client.call('GetInstance', { id: 1 });
  // @ts-expect-error there is no such function
  await client.call('Nowhere');

  // Without the type of an app, any name compiles and the data is unknown.
  const untyped = createClient('http://localhost:8080/openapi.json');
  expectTypeOf(await untyped.call('anything', { goes: true })).toEqualTypeOf<Outcome>();
}
