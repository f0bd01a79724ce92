import { afterAll, describe, expect, it } from 'vitest';
import { behaviours } from './behaviours/index.ts';
import type { Behaviour, Wire } from './every-wire.ts';

/** Every behaviour that a wire can show, on that wire; or those that are chosen. */
export function runBehaviours(
  wire: Wire,
  end: () => Promise<void> | undefined = () => wire.close?.(),
  isChosen: (index: number, behaviour: Behaviour) => boolean = () => true,
): void {
  describe.concurrent(`on ${wire.name}`, () => {
    for (const [index, behaviour] of behaviours.entries()) {
      if (!isChosen(index, behaviour) || (behaviour.except?.[wire.name] ?? wire.cannot?.(behaviour))) continue;
      it(behaviour.title, async () => {
        const { body, status, exit, code } = behaviour.answer;
        const answered = await wire.call(behaviour.app, behaviour.function, behaviour.send, behaviour.profile);
        expect(answered.body).toBe(body);
        if ('status' in answered) expect(answered.status).toBe(status);
        if ('mcp' in answered) expect(answered.mcp).toBe(behaviour.answer.mcp ?? 'result');
        if ('exit' in answered) expect(answered.exit).toBe(exit);
        if ('status' in answered || 'code' in answered) expect(answered.code).toBe(code);
      });
    }
    afterAll(end);
  });
}
