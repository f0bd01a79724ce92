import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';

const plan = readFileSync('ARCHITECTURE.md', 'utf8');

/** Who may import whom, as ARCHITECTURE.md says. A room may always import from itself. */
const arrows = new Map(
  (/^```arrows\n(.*?)^```/ms.exec(plan)?.[1] ?? '')
    .trimEnd()
    .split('\n')
    .map((line): [string, readonly string[]] => {
      const [from = '', to = ''] = line.split(' → ');
      return [from, to === '—' ? [] : to.split(', ')];
    }),
);

/** The lazy imports that point upwards: rows of the only table with an arrow in its first column. */
const upwards = [...plan.matchAll(/^\| (\S+ → \S+) \| .{20,} \|$/gm)].map(([, arrow = '']) => arrow);

/** What package.json puts in the place of these, on other runtimes than Node. */
const elsewhere: Record<string, string> = {
  '#command': 'no-command.ts',
  '#redis': 'rate/no-redis.ts',
  '#tasks-store': 'tasks/no-shared-tasks.ts',
  '#share': 'share/no-redis.ts',
  '#optional': 'optional-in-bundle.ts',
};

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => join('src', file));
const imports = files.flatMap(importsOf);

function importsOf(file: string) {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(/(?:from |import |import\()'([^']+)'/g);
  return [...found].map(([, name = '']) => ({
    from: relative('src', file),
    to: name.startsWith('.') ? relative('src', join(dirname(file), name)) : name,
  }));
}

const room = (path: string) => path.split('/')[0]?.replace(/\.ts$/, '') ?? '';

describe('the import arrows', () => {
  it('sees the source and the plan', () => {
    expect(files.length).toBeGreaterThan(40);
    expect(imports.length).toBeGreaterThan(100);
    expect(arrows.size).toBeGreaterThan(15);
    expect(upwards.length).toBeGreaterThan(1);
  });

  it('point only where ARCHITECTURE.md says', () => {
    const wrong = imports
      .filter(({ to }) => /\.tsx?$/.test(to) || to.startsWith('#'))
      .filter(({ from, to }) => room(from) !== room(to) && !arrows.get(room(from))?.includes(room(to)))
      .map(({ from, to }) => `${from} → ${to}`);
    expect(wrong.toSorted()).toEqual(upwards.toSorted());
  });

  it(proves('leaks.none', 'nothing hears a response that is closed but hosts/when-over.ts'), () => {
    const hears = /\bres(?:ponse)?\.(?:on|once|addListener)\('close'/;
    expect(files.filter((file) => hears.test(readFileSync(file, 'utf8')))).toEqual(['src/hosts/when-over.ts']);
  });

  it('are all needed, and every room has them', () => {
    const drawn = [...arrows].flatMap(([from, rooms]) => rooms.map((to) => `${from} → ${to}`));
    const used = new Set(imports.map(({ from, to }) => `${room(from)} → ${room(to)}`));
    expect(drawn.filter((arrow) => !used.has(arrow))).toEqual([]);
    const rooms = new Set(files.map((file) => room(relative('src', file))));
    expect([...rooms].filter((name) => !arrows.has(name))).toEqual([]);
  });

  const doors = ['index.ts', 'access.ts', 'responses.ts', 'wire.ts', 'client/client.ts', 'frameworks/hono.ts'];
  it.each([...doors, 'audit/opentelemetry.ts', 'testing/test-context.ts'])(
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

describe('the walk of a call', () => {
  /** The files in each column of the tables, by the column's title. */
  const walks = new Map<string, string[]>();
  for (const [table] of plan.matchAll(/^\| step \|.*\n(?:\|.*\n)+/gm)) {
    const cells = (line: string) =>
      line
        .split('|')
        .slice(2, -1)
        .map((cell) => cell.trim());
    const [head = [], , ...rows] = table.trimEnd().split('\n').map(cells);
    for (const [i, title] of head.entries())
      walks.set(
        title,
        rows.flatMap((row) => row[i]?.match(/^[\w/-]+$/)?.[0] ?? []),
      );
  }

  it.each([
    ['HTTP', 7],
    ['MCP over stdio', 9],
    ['CGI', 12],
    ['command line', 12],
  ])('is as short as promised: %s, at most %i files', (title, most) => {
    const walk = walks.get(title) ?? [];
    expect(walk.length).toBeGreaterThan(6);
    expect(walk.length).toBeLessThanOrEqual(most);
    expect(walk.filter((file) => !files.includes(join('src', `${file}.ts`)))).toEqual([]);
  });
});
