import type { FIXED_PATHS, TASKS_PATH } from '../../core/http-path.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { mayBecomeTask } from '../../core/task.ts';

/** A row of the route table: a path, its methods, and its handler. */
export interface Route {
  /** A parameter in braces stands for the rest of the path; in a function's own path and those of tasks, for one segment. */
  readonly path: string;
  /** Without OPTIONS, which every path has. */
  readonly methods: readonly string[];
  readonly handler: string;
  /** One path for each function; for `GET`, only those that allow it. */
  readonly perFunction?: 'GET' | 'POST';
  /** Whether it is served while the server stops. Every other path responds with 503. */
  readonly whileStopping?: true;
  /** Whether the handler refuses other methods itself. */
  readonly anyMethod?: true;
  /** Whether pages of every origin may read it. */
  readonly anyOrigin?: true;
  /** Whether it is only there if functions of the app may become tasks. */
  readonly forTasks?: true;
}

type FixedPath = `/${(typeof FIXED_PATHS)[number]}`;
type TaskPath = `/${typeof TASKS_PATH}/{taskId}${'' | `/${string}`}`;

const READ = ['GET', 'HEAD'] as const;

/** Every path that HTTP and CGI serve for any app. 404, 405 and `Allow` follow from it. */
export const ROUTES = [
  { path: '/openapi.json', methods: READ, handler: 'openApi' },
  { path: '/functions/{name}', methods: READ, handler: 'queryFunction', perFunction: 'GET' },
  { path: '/functions/{name}', methods: ['POST'], handler: 'callFunction', perFunction: 'POST' },
  { path: '/tasks/{taskId}', methods: READ, handler: 'getTask', forTasks: true },
  { path: '/tasks/{taskId}/result', methods: READ, handler: 'getTaskResult', forTasks: true },
  { path: '/tasks/{taskId}/events', methods: READ, handler: 'followTask', forTasks: true },
  { path: '/tasks/{taskId}/input', methods: ['POST'], handler: 'answerTask', forTasks: true },
  { path: '/tasks/{taskId}/cancel', methods: ['POST'], handler: 'cancelTask', forTasks: true },
  { path: '/resources', methods: READ, handler: 'listResources' },
  { path: '/resources/{uri}', methods: READ, handler: 'readResource' },
  // MCP reports errors in JSON-RPC, so it refuses methods and late requests itself.
  { path: '/mcp', methods: ['GET', 'POST', 'DELETE'], handler: 'mcp', whileStopping: true, anyMethod: true },
  { path: '/.well-known/oauth-protected-resource', methods: READ, handler: 'metadata', anyOrigin: true },
  { path: '/.well-known/oauth-protected-resource/{resource}', methods: READ, handler: 'metadata', anyOrigin: true },
  { path: '/healthz', methods: READ, handler: 'health', whileStopping: true },
  { path: '/readyz', methods: READ, handler: 'readiness', whileStopping: true },
] as const satisfies readonly (Route & { readonly path: FixedPath | `${FixedPath}/{${string}}` | TaskPath })[];

export type HandlerName = (typeof ROUTES)[number]['handler'];

/** A row of the table. */
export type TableRow = Route & { readonly handler: HandlerName };

/** The rows for an app with these functions. */
export function tableFor(functions: readonly RegisteredFunction[]): readonly TableRow[] {
  return functions.some(mayBecomeTask) ? ROUTES : ROUTES.filter((row: TableRow) => !row.forTasks);
}

/** A row for one function. */
export interface FunctionRoute extends TableRow {
  readonly fn: RegisteredFunction;
}

/** The rows of a function: its path in the table, with each method, and then its own path. */
export function routesOf(fn: RegisteredFunction): readonly FunctionRoute[] {
  const { method, path: own } = fn.http;
  const rows: FunctionRoute[] = [];
  for (const route of ROUTES) {
    if (!('perFunction' in route) || (route.perFunction === 'GET' && method !== 'GET')) continue;
    rows.push({ ...route, path: route.path.replace('{name}', fn.name), fn });
  }
  const declared = ROUTES.find((route) => 'perFunction' in route && route.perFunction === method);
  // DELETE has no body whose meaning is defined (RFC 9110, section 9.3.5).
  const row = declared ?? { methods: [method], handler: method === 'DELETE' ? 'queryFunction' : 'callFunction' };
  if (!declared) rows.push({ ...row, path: `/functions/${fn.name}`, fn });
  if (own !== undefined) rows.push({ ...row, path: own, fn });
  return rows;
}

/** The path and the method under which a function is documented: what its author declared. */
export function declaredRoute(fn: RegisteredFunction): { readonly path: string; readonly method: string } {
  return { path: routesOf(fn).at(-1)!.path, method: fn.http.method };
}

/** For `OPTIONS *`: every method that some path of every app has. */
export const ALL_METHODS: readonly string[] = [...new Set<string>(ROUTES.flatMap(({ methods }) => methods))];
