import { afterAll, describe, expect, it } from 'vitest';
import { behaviours } from './behaviours/index.ts';
import type { Wire } from './every-wire.ts';
import { cliWire } from './wires/cli.ts';
import { fetchWire } from './wires/fetch.ts';
import { httpWire } from './wires/http.ts';
import { mcpWires } from './wires/mcp.ts';
import { processWire } from './wires/process.ts';

const wires: readonly Wire[] = [processWire, fetchWire, ...mcpWires, httpWire, cliWire];

for (const wire of wires) {
  describe.concurrent(`on ${wire.name}`, () => {
    for (const behaviour of behaviours) {
      if (behaviour.except?.[wire.name] ?? wire.cannot?.(behaviour)) continue;
      it(behaviour.title, async () => {
        const { body, status, exit, code } = behaviour.answer;
        const answered = await wire.call(behaviour.app, behaviour.function, behaviour.send, behaviour.profile);
        expect(answered.body).toBe(body);
        if ('status' in answered) expect(answered.status).toBe(status);
        if ('exit' in answered) expect(answered.exit).toBe(exit);
        if ('status' in answered || 'code' in answered) expect(answered.code).toBe(code);
      });
    }
    // The servers are shared with MCP, and so stay until all are done.
    if (wire !== httpWire) afterAll(() => wire.close?.());
  });
}

afterAll(() => httpWire.close?.());
