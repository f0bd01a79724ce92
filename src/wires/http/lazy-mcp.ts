import type { App } from '../../app/app.ts';
import type { McpHttp } from '../mcp/http.ts';
import { optionsReply } from './cors.ts';
import type { Encoder } from './codec.ts';
import { refuseEncoded } from './decode-body.ts';
import type { Handler } from './find-route.ts';
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
    handle(request, _query, { methods }) {
      if (request.method === 'OPTIONS') return optionsReply(methods);
      const encoded = refuseEncoded(request.headers);
      if (encoded) return encodeFailure(encoded, app.profile);
      return mcp ? mcp.handle(request) : load().then((loaded) => loaded.handle(request));
    },
    loaded: () => loading,
  };

  function load(): Promise<McpHttp> {
    loading ??= import('../mcp/http.ts').then(({ createMcpHttp }) => (mcp = createMcpHttp(app, options)));
    // Such as too many open files: the next request tries again.
    loading.catch(() => (loading = undefined));
    return loading;
  }
}
