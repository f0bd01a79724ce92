import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/create-app.ts';
import type { FunctionDefinition } from '../../src/core/function.ts';
import { bindModule } from '../../src/sources/module/bind-module.ts';
import { describeModule } from '../../src/sources/module/describe-module.ts';
import { compilers } from './compilers.ts';
import { jsonSchema, valibot, zod } from './fixtures/calculator-schemas.ts';
import type { Schemas } from './fixtures/calculator-schemas.ts';
import * as calculator from './fixtures/calculator.ts';

const path = fileURLToPath(new URL('fixtures/calculator.ts', import.meta.url));

/** The calculator as an author defines it. */
const defined = ({ pair, numbers, int, number, series, summary }: Schemas): FunctionDefinition[] => [
  {
    name: 'Add',
    description: 'Adds two integers together',
    input: pair('First integer to add', 'Second integer to add'),
    output: int('Sum of x and y'),
    hints: { readOnly: true, idempotent: true },
    examples: [{ input: { x: 10, y: 20 }, output: 30 }],
    run: ({ x, y }) => calculator.Add(x, y),
  },
  {
    name: 'Divide',
    description: 'Divides one number by another',
    input: numbers(['dividend', 'The number to divide'], ['divisor', 'The number to divide by; not zero']),
    output: number('The quotient'),
    errors: { DIVISION_BY_ZERO: { description: 'The divisor was zero.' } },
    hints: { readOnly: true },
    run: ({ dividend, divisor }) => calculator.Divide(dividend, divisor),
  },
  {
    name: 'DivMod',
    description: 'Divides integers',
    input: pair('The integer to divide', 'The integer to divide by'),
    outputs: [int('Quotient'), int('Remainder')],
    run: ({ x, y }) => calculator.DivMod(x, y),
  },
  { name: 'Reset', description: 'Clears the memory', hints: { destructive: true }, run: () => calculator.Reset() },
  {
    name: 'Summarise',
    description: 'Summarises a series of numbers',
    input: series,
    output: summary,
    run: (input) => calculator.Summarise(input),
  },
];

const appOf = (functions: readonly FunctionDefinition[]) =>
  createApp({ name: 'Calculator', version: '1.0.0', functions });

/** What callers see: the OpenAPI document and the list of tools, as bytes. */
async function documents(functions: readonly FunctionDefinition[]): Promise<readonly string[]> {
  const app = appOf(functions);
  const openapi = await app.fetch(new Request('http://localhost/openapi.json'));
  const tools = await app.fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    }),
  );
  expect([openapi.status, tools.status]).toEqual([200, 200]);
  return [await openapi.text(), await tools.text()];
}

describe.each(compilers)('plain types, read with TypeScript $version', ({ folder }) => {
  let plain: readonly string[];

  beforeAll(async () => {
    const { description } = await describeModule(path, { typescript: folder });
    plain = await documents(bindModule(description, calculator));
    expect(plain[1]).toContain('functions.Summarise');
  });

  it.each(Object.entries({ zod, valibot, 'JSON Schema': jsonSchema }))(
    'give the same documents as %s',
    async (_, schemas) => {
      expect(await documents(defined(schemas))).toEqual(plain);
    },
  );
});
