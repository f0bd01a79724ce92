import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { Server } from '@modelcontextprotocol/server';
import { LIST_RESOURCES, SUBSCRIBE } from '../../../core/operations.ts';
import type { ListedEntry } from '../../../core/operations.ts';
import type { ResourceBody } from '../../../core/resource.ts';
import { checkUriLength } from '../../../core/uri-template.ts';
import type { CallRunner } from './call-runner.ts';
import { failureError } from './protocol-error.ts';
import type { Subscriptions } from './subscriptions.ts';

export function serveResources(server: Server, runner: CallRunner, subscriptions: Subscriptions): void {
  const { app } = runner.catalog;
  server.setRequestHandler(
    'resources/list',
    runner.guard(async (_request, context) => {
      const entries = await runner.operate<readonly ListedEntry[]>(LIST_RESOURCES, undefined, context);
      return { resources: entries.filter(({ uri }) => uri !== undefined) as [] };
    }),
  );
  server.setRequestHandler(
    'resources/templates/list',
    runner.guard(async (_request, context) => {
      const input = { definitionsOnly: true };
      const entries = await runner.operate<readonly ListedEntry[]>(LIST_RESOURCES, input, context);
      return { resourceTemplates: entries.filter(({ uriTemplate }) => uriTemplate !== undefined) as [] };
    }),
  );
  server.setRequestHandler(
    'resources/read',
    runner.guard(async ({ params: { uri } }, context) => {
      const refused = checkUriLength(uri);
      if (refused) throw failureError(refused);
      const found = app.resources.locate(uri);
      if (!found) await runner.recognise(context);
      if (!found) throw new ResourceNotFoundError(uri);
      const { resource, variables } = found;
      const called = { name: uri, fn: resource.fn, input: variables };
      return runner.run(app.resources.respond, called, context, (outcome) => {
        if (!outcome.ok && outcome.error.code === 'NOT_FOUND')
          throw new ResourceNotFoundError(uri, outcome.error.message);
        if (!outcome.ok) throw failureError(outcome);
        return { contents: [{ uri, ...(outcome.data as ResourceBody & { text: string }) }] };
      });
    }),
  );
  server.setRequestHandler(
    'resources/subscribe',
    runner.guard(async ({ params: { uri } }, context) => {
      subscriptions.check(uri);
      await runner.operate(SUBSCRIBE, { uris: [uri] }, context);
      await subscriptions.add(uri); // checks again: others may have been added meanwhile
      return {};
    }),
  );
  server.setRequestHandler(
    'resources/unsubscribe',
    runner.guard(async ({ params: { uri } }) => {
      await subscriptions.delete(uri);
      return {};
    }),
  );
}
