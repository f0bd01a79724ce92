import type { App } from '../../app/app.ts';
import { needsHttp } from '../../core/definition-http.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { mayBecomeTask } from '../../core/task.ts';
import type { HttpReply, HttpRequest } from './message.ts';
import { PathTree, decodeSegment } from './path-tree.ts';
import { routesOf, tableFor } from './routes.ts';
import type { FunctionRoute, HandlerName, TableRow } from './routes.ts';

export type Handler = (
  request: HttpRequest,
  query: string,
  match: Match,
  fn: RegisteredFunction | undefined,
) => HttpReply | Promise<HttpReply>;

export type Handlers = Readonly<Record<HandlerName, Handler>> & {
  /** For functions that need more of HTTP than arguments and a body. */
  readonly withHttp: Readonly<Record<'callFunction' | 'queryFunction', Handler>>;
};

/** What responds to a method. */
interface Action {
  readonly handle: Handler;
  readonly fn: RegisteredFunction | undefined;
}

/** What is at a path. */
export interface Match {
  /** Without OPTIONS. */
  readonly methods: readonly string[];
  readonly actions: ReadonlyMap<string, Action>;
  /** For every other method. */
  readonly otherwise: Action | undefined;
  readonly whileStopping: boolean;
  readonly anyOrigin: boolean;
  readonly forTasks: boolean;
  /** The rest of the path, decoded, where a parameter stands for it; otherwise empty. */
  readonly parameter: string;
  /** The values in a function's own path, or in that of a task, as they were sent. */
  readonly values: readonly string[];
}

/** With `sees`, as if there were only the functions that it accepts. */
export type FindRoute = (path: string, sees?: (fn: RegisteredFunction) => boolean) => Match | undefined;

/** Finds what is at a path. Paths without a parameter, and those of functions, take one look into a map. */
export function compileRoutes(app: App, handlers: Handlers): FindRoute {
  const exact = new Map<string, Match>();
  const prefixes = new Map<string, Match>();
  const byParameters = new PathTree<Match>();
  const matchOf = (rows: readonly (TableRow & Partial<FunctionRoute>)[]) => toMatch(rows, handlers);

  for (const [path, rows] of groupByPath(tableFor(app.functions))) {
    if (rows.some(({ forTasks }) => forTasks)) {
      byParameters.add(path, matchOf(rows));
      continue;
    }
    const prefix = path.replace(/\{\w+\}$/, '');
    (prefix === path ? exact : prefixes).set(prefix, matchOf(rows));
  }
  const perFunction = app.functions.flatMap(routesOf);
  for (const [path, rows] of groupByPath(perFunction)) {
    const match = matchOf(rows);
    if (!path.includes('{')) exact.set(path, match);
    // Those without parameters too: a client may percent-encode them.
    if (rows.some(({ fn }) => fn.http.path === path)) byParameters.add(path, match);
  }

  const find = (path: string) => exact.get(path) ?? matchPrefix(path) ?? matchParameters(path);
  return (path, sees) => {
    const match = find(path);
    return match && sees ? seen(match, path, sees) : match;
  };

  function seen(match: Match, path: string, sees: (fn: RegisteredFunction) => boolean): Match | undefined {
    if (match.forTasks && !app.functions.some((fn) => mayBecomeTask(fn) && sees(fn))) return undefined;
    const isSeen = ({ fn }: Action) => !fn || sees(fn);
    const actions = new Map([...match.actions].filter(([, action]) => isSeen(action)));
    const otherwise = match.otherwise && isSeen(match.otherwise) ? match.otherwise : undefined;
    if (actions.size > 0 || otherwise) return { ...match, methods: [...actions.keys()], actions, otherwise };
    return path.startsWith(FUNCTIONS) ? unknownFunction(path) : undefined;
  }

  /** A call of an unknown function fails in the pipeline, whatever the method, so that it is recorded. */
  function unknownFunction(path: string): Match {
    const sent = path.slice(FUNCTIONS.length);
    const parameter = decodeSegment(sent) ?? sent;
    const otherwise = { handle: handlers.callFunction, fn: undefined };
    return { ...prefixes.get(FUNCTIONS)!, parameter, actions: NO_ACTIONS, otherwise };
  }

  function matchPrefix(path: string): Match | undefined {
    for (const [prefix, match] of prefixes) {
      if (!path.startsWith(prefix)) continue;
      const sent = path.slice(prefix.length);
      const parameter = decodeSegment(sent) ?? sent;
      if (prefix !== FUNCTIONS) return { ...match, parameter };
      const fn = app.find(parameter);
      return fn ? exact.get(FUNCTIONS + fn.name) : unknownFunction(path);
    }
    return undefined;
  }

  function matchParameters(path: string): Match | undefined {
    const matched = byParameters.find(path);
    return matched && { ...matched.found, values: matched.values };
  }
}

const FUNCTIONS = '/functions/';
const NO_ACTIONS: Match['actions'] = new Map();
const NO_VALUES: Match['values'] = [];

/** Several rows may have one path, with different methods. */
function groupByPath<Row extends TableRow>(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.path);
    if (group) group.push(row);
    else groups.set(row.path, [row]);
  }
  return groups;
}

function toMatch(rows: readonly (TableRow & Partial<FunctionRoute>)[], handlers: Handlers): Match {
  const actions = new Map<string, Action>();
  let otherwise: Action | undefined;
  for (const { methods, handler, fn, anyMethod } of rows) {
    const own = fn && needsHttp(fn.http) ? { ...handlers, ...handlers.withHttp } : handlers;
    const action = { handle: own[handler], fn };
    for (const method of methods) actions.set(method, action);
    if (anyMethod) otherwise = action;
  }
  const whileStopping = rows.some((row) => row.whileStopping);
  const anyOrigin = rows.some((row) => row.anyOrigin);
  const forTasks = rows.some((row) => row.forTasks);
  return {
    methods: [...actions.keys()],
    actions,
    otherwise,
    whileStopping,
    anyOrigin,
    forTasks,
    parameter: '',
    values: NO_VALUES,
  };
}
