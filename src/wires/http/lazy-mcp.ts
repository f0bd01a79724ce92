import type { App } from '../../app/app.ts';
import type { McpHttp } from '../mcp/http.ts';
import { optionsReply } from './cors.ts';
import { refuseEncoded } from './codec.ts';
import type { Encoder } from './codec.ts';
import type { Handler } from './router.ts';
import type { HttpWireOptions } from './wire.ts';

interface LazyMcp {
  readonly handle: Handler;
  /** What was loaded, if anything was. */
  readonly loaded: () => Promise<McpHttp> | undefined;
}

/** `/mcp`: loads the MCP wire with the first request. */
export function createLazyMcp(app: App, options: HttpWireOptions, { encodeFailure }: Encoder): LazyMcp {
  let loading: Promise<McpHttp> | undefined;
  let mcp: McpHttp | undefined;
  return {
    handle(request, _query, { route }) {
      if (request.method === 'OPTIONS') return optionsReply(route.methods, options.cors);
      const encoded = refuseEncoded(request.headers);
      if (encoded) return encodeFailure(encoded, app.profile);
      return mcp ? mcp.handle(request) : load().then((loaded) => loaded.handle(request));
    },
    loaded: () => loading,
  };

  function load(): Promise<McpHttp> {
    loading ??= import('../mcp/http.ts').then(({ createMcpHttp }) => (mcp = createMcpHttp(app, options)));
    return loading;
  }
}
