import type { Server } from '@modelcontextprotocol/server';
import type { Catalog } from '../catalog.ts';
import { CallRunner } from './call-runner.ts';
import type { CallRunnerOptions } from './call-runner.ts';
import { servePrompts } from './prompts.ts';
import { ReadableErrorsServer } from './readable-errors.ts';
import { serveResources } from './resources.ts';
import { Subscriptions } from './subscriptions.ts';
import { serveTasks } from './tasks.ts';
import { serveTools } from './tools.ts';
import type { FindElicitation } from './tools.ts';

export interface SdkServerOptions extends CallRunnerOptions {
  readonly lifetime: 'request' | 'connection';
  readonly findElicitation?: FindElicitation | undefined;
  /** Those of the session, if it has more than one copy. */
  readonly subscriptions?: Subscriptions | undefined;
}

/** A server of the SDK for one connection or one request. The SDK speaks the protocol; the app runs the calls. */
export function createSdkServer(catalog: Catalog, options: SdkServerOptions): Server {
  const { app, serverInfo, capabilities, cacheHint } = catalog;
  const { era, requestState, lifetime, findElicitation = () => undefined } = options;
  const server = new ReadableErrorsServer(serverInfo, {
    capabilities: capabilities[era],
    ...(app.description && { instructions: app.description }),
    requestState: { verify: requestState.verify },
    cacheHints: {
      'tools/list': cacheHint,
      'resources/list': cacheHint,
      'resources/templates/list': cacheHint,
      'prompts/list': cacheHint,
      'server/discover': cacheHint,
    },
  });
  const runner = new CallRunner(catalog, server, options);
  const { subscriptions = new Subscriptions(app) } = options;
  serveTools(server, runner, findElicitation);
  serveResources(server, runner, subscriptions);
  servePrompts(server, runner);
  serveTasks(server, runner, era);
  // A server for one request must not listen: nothing would ever remove its listener.
  if (lifetime === 'connection') announceChanges(server, catalog, (uri) => era === 'modern' || subscriptions.has(uri));
  return server;
}

/** In the modern era, the SDK knows who has subscribed to what. */
function announceChanges(server: Server, { app }: Catalog, isWanted: (uri: string) => boolean): void {
  const forget = app.changes.listen((change) => {
    // Sending fails only if the connection is closing.
    if (change.kind === 'resource') {
      if (isWanted(change.uri)) void server.sendResourceUpdated({ uri: change.uri }).catch(() => {});
    } else if (change.kind === 'tools') void server.sendToolListChanged().catch(() => {});
    else if (change.kind === 'prompts') void server.sendPromptListChanged().catch(() => {});
    else void server.sendResourceListChanged().catch(() => {});
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
  server.onclose = forget;
}
