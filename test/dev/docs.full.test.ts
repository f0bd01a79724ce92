import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { Project, stopProjects } from './project.ts';

afterAll(stopProjects);

// docs/dev.md, as a reader would do it.
const page = readFileSync('docs/dev.md', 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);
// Other versions of Node explain a syntax error in other words.
const withoutTimes = (text: string) =>
  text
    .replaceAll(/\d\d:\d\d:\d\d/g, 'TIME')
    .replaceAll(/\d+ ms/g, 'MS')
    .replaceAll(/loaded: .* (\(\S+?:\d+)(?::\d+)?\)/g, 'loaded: WHY $1)');

it(proves('dev.contract', 'the page shows what is printed'), async () => {
  const [first = '', second = ''] = blocks('ts');
  const [changed = '', broken = ''] = blocks('text').map(withoutTimes);
  expect(blocks('sh')).toEqual(['npx everywire dev math.ts\n']);
  const project = await Project.started({ 'math.ts': first }, { modules: ['math.ts'] });
  expect(withoutTimes(await project.reloaded(() => project.write('math.ts', second)))).toBe(changed);
  const printed = await project.reloaded(() => project.write('math.ts', `${second.trimEnd()}\n}\n`), 'goes on serving');
  const again = await project.reloaded(() => project.write('math.ts', second));
  expect(withoutTimes(printed + again)).toBe(broken);
});
