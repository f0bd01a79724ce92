import { TASKS_PATH, isBelow, shapeOf } from './http-path.ts';
import type { RegisteredFunction } from './registered-function.ts';
import type { Registry } from './registry.ts';
import { mayBecomeTask } from './task.ts';

/** Paths of functions that cannot be told apart, or are those of tasks. */
export function problemsBetweenPaths(registry: Registry): string[] {
  const problems: string[] = [];
  const byShape = new Map<string, RegisteredFunction>();
  const byRoute = new Map<string, RegisteredFunction>();
  const hasTasks = registry.functions.some(mayBecomeTask);
  for (const fn of registry.functions) {
    const { method, path } = fn.http;
    if (path === undefined) continue;
    if (hasTasks && isBelow(path, TASKS_PATH))
      problems.push(`"${fn.name}": /${TASKS_PATH} is a path of every app with tasks; choose another first segment`);
    const shape = shapeOf(path);
    const same = byRoute.get(`${method} ${shape}`);
    const similar = byShape.get(shape);
    if (same) problems.push(`"${fn.name}" and "${same.name}" share the path ${method} ${path}`);
    // OpenAPI forbids it, with any methods.
    else if (similar && similar.http.path !== path) {
      problems.push(
        `"${fn.name}" and "${similar.name}" must use the same names for parameters: ${path}, ${similar.http.path}`,
      );
    }
    const short = registry.find(path.slice(1));
    if (short && short !== fn) problems.push(`"${fn.name}": ${path} is short for /functions${path} in CGI`);
    byRoute.set(`${method} ${shape}`, fn);
    byShape.set(shape, fn);
  }
  return problems;
}
