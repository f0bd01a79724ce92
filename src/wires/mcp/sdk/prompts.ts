import type { Server } from '@modelcontextprotocol/server';
import { promptNotFound } from '../../../core/not-found.ts';
import { COMPLETE } from '../../../core/operations.ts';
import type { CallRunner } from './call-runner.ts';
import { failureError } from './protocol-error.ts';

/** Prompts, and the completion of their arguments and of resource templates. */
export function servePrompts(server: Server, runner: CallRunner): void {
  const { app, prompts } = runner.catalog;
  server.setRequestHandler(
    'prompts/list',
    runner.guard(async (_request, context) => ({
      prompts: (await runner.visible(prompts, app.prompts.functions, context)) as [],
    })),
  );
  server.setRequestHandler(
    'prompts/get',
    runner.guard(async ({ params }, context) => {
      const fn = app.prompts.find(params.name);
      if (!fn) await runner.recognise(context);
      if (!fn) throw failureError(promptNotFound(params.name));
      const called = { name: params.name, fn, input: params.arguments };
      return runner.run(app.prompts.respond, called, context, (outcome) => {
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
