import { ProtocolError } from '@modelcontextprotocol/server';
import type { Server } from '@modelcontextprotocol/server';
import { COMPLETE } from '../../../core/operations.ts';
import { INVALID_PARAMS } from '../jsonrpc.ts';
import type { CallRunner } from './call-runner.ts';
import { failureError } from './protocol-error.ts';

/** Prompts, and the completion of their arguments and of resource templates. */
export function servePrompts(server: Server, runner: CallRunner): void {
  const { app, prompts } = runner.catalog;
  server.setRequestHandler('prompts/list', async () => ({ prompts: prompts as [] }));
  server.setRequestHandler(
    'prompts/get',
    runner.guard(async ({ params }, context) => {
      const fn = app.prompts.find(params.name);
      if (!fn)
        throw new ProtocolError(INVALID_PARAMS, `Prompt not found: ${params.name}`, { code: 'PROMPT_NOT_FOUND' });
      return runner.run(app.prompts.respond, fn, params.arguments, context, (outcome) => {
        if (!outcome.ok) throw failureError(outcome);
        return { description: fn.description, messages: outcome.data as [] };
      });
    }),
  );
  server.setRequestHandler(
    'completion/complete',
    runner.guard(async ({ params: { ref, argument } }, context) => ({
      completion: await runner.operate<{ values: string[] }>(COMPLETE, { ref, argument }, context),
    })),
  );
}
