import { describe, expect, it } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { createApp } from '../../src/app/create-app.ts';
import { findCommand } from '../../src/wires/cli/command-tree.ts';
import { openApiDocument } from '../../src/wires/http/openapi/document.ts';
import { proves } from '../promises.ts';

const app = (...names: readonly (string | { name: string; operationId?: string; tags?: string[] })[]) =>
  createApp({
    name: 'Test',
    version: '1',
    tags: { orders: 'Orders' },
    functions: names.map((one) => ({
      ...(typeof one === 'string' ? { name: one } : one),
      description: 'Does',
      run: () => {},
    })),
  });

const found = (functions: ReturnType<typeof app>, line: string) => {
  const result = findCommand(functions, line.split(' '));
  return result && [result.fn?.name ?? `${result.group!.words.join(' ')}/`, result.rest.join(' ')];
};

describe('groups', () => {
  it.each([
    ['orders list --x 1', ['orders.List', '--x 1']],
    ['Orders LIST', ['orders.List', '']],
    ['orders get-all', ['orders.GetAll', '']],
    ['orders GetAll', ['orders.GetAll', '']],
    ['orders-get-all a', ['orders.GetAll', 'a']],
    ['orders.GetAll', ['orders.GetAll', '']],
    ['functions.orders.GetAll', ['orders.GetAll', '']],
    ['functions_orders_GetAll', ['orders.GetAll', '']],
    ['orders', ['orders/', '']],
    ['orders nothing', ['orders/', 'nothing']],
    ['orders old list', ['orders.old.List', '']],
    ['orders old', ['orders old/', '']],
    ['prices', ['prices', '']],
    ['prices high', ['prices', 'high']],
    ['prices raise', ['prices.Raise', '']],
    ['a..b', ['a..b', '']],
    ['a-b', ['a..b', '']],
    ['c.-d', ['c.-d', '']],
    ['nothing', undefined],
    ['__proto__ constructor', undefined],
    ['x'.repeat(100_000), undefined],
  ])(proves('cli.groups', '%s'), (line, expected) => {
    const names = ['orders.List', 'orders.GetAll', 'orders.old.List', 'prices', 'prices.Raise', 'a..b', 'c.-d'];
    expect(found(app(...names), line)).toEqual(expected);
  });

  it(proves('cli.groups', 'an operationId takes precedence over a group of that name'), () => {
    const functions = app({ name: 'Add', operationId: 'orders' }, 'orders.List');
    expect(found(functions, 'orders')).toEqual(['Add', '']);
    expect(found(functions, 'orders list')).toEqual(['orders.List', '']);
  });

  it(proves('cli.groups', 'are tags in OpenAPI, unless a function has tags'), () => {
    const functions = app('Add', 'orders.List', 'orders.old.List', { name: 'orders.Get', tags: ['mine'] });
    const { tags, paths } = openApiDocument(functions as App, '3.1') as {
      tags: object[];
      paths: Record<string, { post: { tags: string[] } }>;
    };
    expect(tags).toEqual([
      { name: 'functions', description: 'Functions of Test' },
      { name: 'orders', description: 'Orders' },
      { name: 'orders.old', description: 'Functions of Test' },
      { name: 'mine', description: 'Functions of Test' },
    ]);
    expect(paths['/functions/orders.List']!.post.tags).toEqual(['orders']);
  });
});
