import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FIXED_PATHS, TASKS_PATH } from '../../src/core/http-path.ts';
import { decodeCgi } from '../../src/wires/cgi/wire.ts';
import { ROUTES, type Route } from '../../src/wires/http/routes.ts';
import tasks from '../apps/http-tasks.ts';
import queries from '../apps/queries.ts';
import { proves } from '../promises.ts';

const routes: readonly Route[] = ROUTES;
const withoutNames = (path: string) => path.replace(/[{<]\w+[}>]/, '*');

describe('the route table', () => {
  it('has the paths that docs/http.md lists, with their methods', () => {
    const page = readFileSync('docs/http.md', 'utf8');
    const cells = [...page.matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = '']) => cell).join();
    const listed = [...cells.matchAll(/`(?:([A-Z]+) )?(\/[^`]*)`/g)].map(([, method, path = '']) => ({ method, path }));
    expect(listed.map(({ path }) => withoutNames(path)).toSorted()).toEqual(
      routes.map(({ path }) => withoutNames(path)).toSorted(),
    );
    for (const { method, path } of listed.filter((row) => row.method)) {
      const same = routes.filter((one) => withoutNames(one.path) === withoutNames(path));
      expect(same.flatMap(({ methods }) => methods)).toContain(method);
    }
  });

  it('has all the paths that functions may not begin with, and no others', () => {
    const starts = routes.map(({ path }) => path.slice(1).replace(/\/\{\w+\}.*$/, ''));
    expect([...new Set(starts)].toSorted()).toEqual([...FIXED_PATHS, TASKS_PATH].toSorted());
  });

  it.each(routes)(proves('cgi.path', 'is the same for CGI: $path'), ({ path }) => {
    const sent = path.replace(/\{\w+\}/, 'x');
    expect(decodeCgi({ PATH_INFO: sent }, tasks as never).target).toBe(sent);
  });

  it.each([
    ['/users/7', '/users/7'],
    ['/users/7/posts/a b', '/users/7/posts/a%20b'],
    ['/users', '/users'],
    ['/add', '/add'],
    ['/Add', '/functions/Add'],
    ['/functions.Add', '/functions/functions.Add'],
    ['/Search', '/functions/Search'],
    ['/unknown', '/functions/unknown'],
    ['/users/\uFFFD', '/users/%FF'],
  ])(proves('cgi.path', "knows the functions' own paths in CGI: %s"), (path, target) => {
    expect(decodeCgi({ PATH_INFO: path }, queries as never).target).toBe(target);
  });

  it(proves('http.task-paths', 'has the paths of tasks only for apps that have some'), () => {
    expect(decodeCgi({ PATH_INFO: '/tasks/7' }, queries as never).target).toBe('/functions/tasks/7');
  });
});
