import { expect, it } from 'vitest';
import { PathTree } from '../../src/wires/http/path-tree.ts';
import { proves } from '../promises.ts';

const tree = new PathTree<string>();
const PATHS = ['/users', '/users/{id}', '/users/me', '/a/{x}/c', '/a/b/d', '/a/{x}/{y}/{z}', '/a/b/{y}/z'];
for (const path of PATHS) tree.add(path, path);

it.each([
  ['/users', '/users', []],
  ['/users/7', '/users/{id}', ['7']],
  ['/users/a%2Fb', '/users/{id}', ['a%2Fb']],
  ['/users/%zz', '/users/{id}', ['%zz']],
  ['/users/me', '/users/me', []],
  ['/users/%6d%65', '/users/me', []],
  ['/%75sers/%6d%65', '/users/me', []],
  // The literal `b` comes first, and leads nowhere.
  ['/a/b/c', '/a/{x}/c', ['b']],
  ['/a/b/d', '/a/b/d', []],
  ['/a/b/c/z', '/a/b/{y}/z', ['c']],
  ['/a/b/c/d', '/a/{x}/{y}/{z}', ['b', 'c', 'd']],
])(proves('http.path', 'finds %s'), (path, found, values) => {
  expect(tree.find(path)).toEqual({ found, values });
});

const DOTS = ['/users/.', '/users/..', '/users/%2e%2E'];
const SLASHES = ['', '*', '/', '//', '/users/', '/users//', '/a//c', '/users/me/'];
it.each([...DOTS, ...SLASHES, '/users/7/8', '/Users/7', '/a', '/a/b', '/a/x/d', `/users/7${'/x'.repeat(10_000)}`])(
  proves('http.path', 'does not find %s'),
  (path) => {
    expect(tree.find(path)).toBeUndefined();
  },
);
