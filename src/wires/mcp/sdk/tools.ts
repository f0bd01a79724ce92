import { ProtocolError } from '@modelcontextprotocol/server';
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { toToolResponse } from '../call-tool.ts';
import { Elicitation } from '../elicitation.ts';
import { INVALID_PARAMS } from '../jsonrpc.ts';
import type { CallRunner } from './call-runner.ts';
import { toProtocolError } from './protocol-error.ts';
import { unwrapArguments } from './wrapped-arguments.ts';

/** Finds the elicitation of a call that was begun on the fast path, and that the SDK is to send. */
export type FindElicitation = (context: ServerContext) => Elicitation | undefined;

export function serveTools(server: Server, runner: CallRunner, findElicitation: FindElicitation): void {
  const { app, profile, tools } = runner.catalog;
  server.setRequestHandler(
    'tools/list',
    runner.guard(async (_request, context) => ({ tools: (await runner.visible(tools, app.functions, context)) as [] })),
  );
  server.setRequestHandler(
    'tools/call',
    runner.guard(async ({ params }, context) => {
      const begun = findElicitation(context);
      const fn = app.find(params.name);
      if (!fn && app.access) return runner.refuseUnknown(params.name, context);
      if (!fn)
        throw new ProtocolError(INVALID_PARAMS, `Function not found: ${params.name}`, { code: 'FUNCTION_NOT_FOUND' });
      const call = { name: fn.name, input: unwrapArguments(params) };
      if (begun) return runner.elicit(begun, call, context);
      const { answer, elicitation } = await runner.call(
        app.respond,
        { ...call, name: params.name, fn },
        context,
        profile,
      );
      const response = toToolResponse(answer, elicitation);
      if (response instanceof Elicitation) return runner.elicit(response, call, context);
      if (typeof response !== 'string') throw toProtocolError(response);
      return JSON.parse(response) as { content: [] };
    }),
  );
}
