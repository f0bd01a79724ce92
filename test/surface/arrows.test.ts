import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';

/** Who may import whom, as ARCHITECTURE.md draws it. A room may always import from itself. */
const arrows: Record<string, readonly string[]> = {
  schema: [],
  core: ['schema'],
  responses: ['core', 'schema'],
  env: ['core'],
  app: ['core', 'env', 'responses', 'schema'],
  audit: ['core', 'version'],
  client: ['app', 'core', 'responses', 'schema', 'version'],
  frameworks: ['core', 'responses'],
  wires: ['app', 'core', 'schema', 'responses'],
  hosts: ['app', 'core', 'env', 'version', 'wires'],
  build: ['app', 'core', 'hosts', 'schema'],
  containers: [],
  proof: ['app', 'client', 'core', 'env', 'hosts', 'responses', 'schema', 'version'],
  bin: ['build', 'app', 'containers', 'core', 'schema', 'responses', 'env', 'wires', 'hosts', 'proof', 'version'],
  index: ['app', 'audit', 'core', 'env', 'schema', 'responses', 'version'],
  node: ['audit', 'env', 'hosts', 'run'],
  run: ['hosts'],

  'no-command': ['app'],
  version: [],
};

/** Doors that are opened only when used, and why they lead up rather than down. */
const lazily: Record<string, string> = {
  'app.ts → hosts/fetch.ts': 'app.fetch is the app served; createApp alone must not pay for a wire',
  'run.ts → bin/run-module.ts': 'a module run as a command, for those who import everywire/node for something else',
  'app.ts → #command': 'app.run is the app as a command; on other runtimes than Node it is no-command.ts',
};

/** What package.json puts in the place of these, on other runtimes than Node. */
const elsewhere: Record<string, string> = { '#command': 'no-command.ts' };

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join('src', file));
const imports = files.flatMap(importsOf);

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(/(?:from |import |import\()'([^']+)'/g);
  return [...found].map(([, name = '']) => ({
    from: relative('src', file),
    to: name.startsWith('.') ? relative('src', join(dirname(file), name)) : name,
  }));
}

const room = (path: string) => path.split('/')[0]?.replace(/\.ts$/, '') ?? '';

describe('the import arrows', () => {
  it('sees the source', () => {
    expect(files.length).toBeGreaterThan(40);
    expect(imports.length).toBeGreaterThan(100);
  });

  it('point only where ARCHITECTURE.md says', () => {
    const wrong = imports
      .filter(({ to }) => to.endsWith('.ts') || to.startsWith('#'))
      .filter(({ from, to }) => room(from) !== room(to) && !arrows[room(from)]?.includes(room(to)))
      .map(({ from, to }) => `${from} → ${to}`);
    expect(wrong.toSorted()).toEqual(Object.keys(lazily).toSorted());
  });

  it.each(['index.ts', 'responses.ts', 'client/client.ts', 'frameworks/hono.ts', 'audit/opentelemetry.ts'])(
    proves('http.fetch', 'lead from %s to nothing of Node'),
    (door) => {
      const reached = new Set<string>();
      const visit = (file: string): void => {
        if (reached.has(file)) return;
        reached.add(file);
        for (const { to } of imports.filter(({ from }) => from === file)) visit(elsewhere[to] ?? to);
      };
      visit(door);
      expect([...reached].filter((name) => name.startsWith('node:') || name.startsWith('bin/'))).toEqual([]);
      expect(reached.size).toBeGreaterThan(3);
      if (door === 'index.ts') expect(reached).toContain('hosts/fetch.ts');
    },
  );
});
