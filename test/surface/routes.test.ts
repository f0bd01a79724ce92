import { readFileSync } from 'node:fs';
import { createApp, defineFunction } from 'everywire';
import { describe, expect, it } from 'vitest';
import { decodeCgi } from '../../src/wires/cgi/wire.ts';
import { openApiDocument } from '../../src/wires/http/openapi.ts';
import { ROUTES } from '../../src/wires/http/routes.ts';
import type { Route } from '../../src/wires/http/routes.ts';
import { proves } from '../promises.ts';

const routes: readonly Route[] = ROUTES;
const withoutNames = (path: string) => path.replace(/[{<]\w+[}>]$/, '*');

describe('the route table', () => {
  it('has the paths that docs/http.md lists, with their methods', () => {
    const page = readFileSync('docs/http.md', 'utf8');
    const cells = [...page.matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = '']) => cell).join();
    const listed = [...cells.matchAll(/`(?:([A-Z]+) )?(\/[^`]*)`/g)].map(([, method, path = '']) => ({ method, path }));
    expect(listed.map(({ path }) => withoutNames(path)).toSorted()).toEqual(
      routes.map(({ path }) => withoutNames(path)).toSorted(),
    );
    for (const { method, path } of listed.filter((row) => row.method)) {
      const route = routes.find((one) => withoutNames(one.path) === withoutNames(path));
      expect(route?.methods).toContain(method);
    }
  });

  it.each(routes)(proves('cgi.path', 'is the same for CGI: $path'), ({ path }) => {
    const sent = path.replace(/\{\w+\}/, 'x');
    expect(decodeCgi({ PATH_INFO: sent }).target).toBe(sent);
  });

  it(proves('openapi.document', 'gives the OpenAPI document one path for each function, and no others'), () => {
    const fn = (name: string) => defineFunction({ name, description: name, run: () => {} });
    const app = createApp({ name: 'Routes', version: '1.0.0', functions: [fn('One'), fn('Two')] });
    const { paths } = openApiDocument(app as never, '3.1') as { paths: Record<string, object> };
    expect(Object.entries(paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
      ['/functions/One', ['post']],
      ['/functions/Two', ['post']],
    ]);
  });
});
