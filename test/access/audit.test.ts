import { createApp } from 'everywire';
import type { AuditRecord } from 'everywire';
import { openTelemetry } from 'everywire/opentelemetry';
import { expect, it } from 'vitest';
import { keys, options } from '../apps/access.ts';
import { createTelemetry } from '../audit/telemetry.ts';
import { asJson } from '../kit/as-json.ts';
import { proves } from '../promises.ts';

const records: AuditRecord[] = [];
const { spans: exporter, tracerProvider } = createTelemetry();
const app = createApp({
  ...options,
  audit: { to: [(record) => void records.push(record), openTelemetry({ tracerProvider })], arguments: true },
});

const read = (headers: Record<string, string>) =>
  app.fetch(new Request('http://localhost/functions/Read', asJson({ id: '1' }, headers)));

it(proves('access.audit', 'records and spans name the principal, and nothing secret'), async () => {
  await read({ 'x-api-key': keys.reader });
  await read({ 'x-api-key': keys.nobody });
  await read({});
  await read({ 'x-api-key': 'canary-key' });
  await app.call('Read', { id: '1' }, { principal: { id: 'job', scopes: ['*'], claims: { secret: 'canary-claim' } } });
  expect(records.map(({ code, principal }) => [code, principal])).toEqual([
    ['OK', { id: 'reader', kind: 'key' }],
    ['FORBIDDEN', { id: 'nobody', kind: 'key' }],
    ['UNAUTHENTICATED', { id: 'anonymous', kind: 'anonymous' }],
    ['UNAUTHENTICATED', undefined],
    ['OK', { id: 'job', kind: 'local' }],
  ]);
  const spans = exporter.getFinishedSpans().map(({ attributes }) => attributes);
  expect(spans.map((span) => [span['enduser.id'], span['everywire.principal.kind']])).toEqual([
    ['reader', 'key'],
    ['nobody', 'key'],
    ['anonymous', 'anonymous'],
    [undefined, undefined],
    ['job', 'local'],
  ]);
  const seen = JSON.stringify([records, spans]);
  for (const secret of ['canary', keys.reader, keys.nobody]) expect(seen).not.toContain(secret);
});
