/** A row of the route table: a path, its methods, and its handler. */
export interface Route {
  /** A parameter in braces stands for the rest of the path. */
  readonly path: `/${string}`;
  /** Without OPTIONS, which every path has. */
  readonly methods: readonly string[];
  readonly handler: string;
  /** One path for each function. The OpenAPI document describes these, and no others. */
  readonly perFunction?: true;
  /** Whether it is served while the server stops. Every other path responds with 503. */
  readonly whileStopping?: true;
  /** Whether the handler refuses other methods itself. */
  readonly anyMethod?: true;
}

const READ = ['GET', 'HEAD'] as const;

/** Every path that HTTP and CGI serve. 404, 405 and `Allow` follow from it. */
export const ROUTES = [
  { path: '/openapi.json', methods: READ, handler: 'openApi' },
  { path: '/functions/{name}', methods: ['POST'], handler: 'callFunction', perFunction: true },
  { path: '/resources', methods: READ, handler: 'listResources' },
  { path: '/resources/{uri}', methods: READ, handler: 'readResource' },
  // MCP reports errors in JSON-RPC, so it refuses methods and late requests itself.
  { path: '/mcp', methods: ['GET', 'POST', 'DELETE'], handler: 'mcp', whileStopping: true, anyMethod: true },
  { path: '/healthz', methods: READ, handler: 'health', whileStopping: true },
  { path: '/readyz', methods: READ, handler: 'readiness', whileStopping: true },
] as const satisfies readonly Route[];

export type HandlerName = (typeof ROUTES)[number]['handler'];

/** For `OPTIONS *`: every method that some path has. */
export const ALL_METHODS: readonly string[] = [...new Set<string>(ROUTES.flatMap(({ methods }) => methods))];
