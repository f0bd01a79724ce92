import { resolve } from 'node:path';
import { describe, it } from 'vitest';
import { proves } from '../promises.ts';
import { block } from './blocks.ts';
import { expectServed } from './expect-served.ts';
import { createProject, freePort, startProject } from './project.ts';
import { runtime } from './runtimes.ts';

// The code of docs/embedding.md, in the development servers of the real frameworks.

const packages = resolve('test/embedding/node_modules');

interface Framework {
  readonly heading: string;
  /** Files of the project, besides the one that the page shows. */
  readonly files: Readonly<Record<string, string>>;
  readonly args: (port: number) => readonly string[];
}

const FRAMEWORKS: readonly Framework[] = [
  {
    heading: 'Next.js',
    // everywire is a link to this repository here.
    files: { 'next.config.js': `export default { turbopack: { root: ${JSON.stringify(resolve('.'))} } };` },
    args: (port) => [`${packages}/next/dist/bin/next`, 'dev', '--hostname', '127.0.0.1', '--port', String(port)],
  },
  {
    heading: 'SvelteKit',
    files: {
      'vite.config.js':
        "import { sveltekit } from '@sveltejs/kit/vite';\n" +
        "export default { plugins: [sveltekit()], server: { host: '127.0.0.1' } };\n",
      'src/app.html': '<html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
    },
    args: (port) => [`${packages}/vite/bin/vite.js`, 'dev', '--strictPort', '--port', String(port)],
  },
];

describe.concurrent('the code in docs/embedding.md', () => {
  for (const { heading, files, args } of FRAMEWORKS) {
    it(proves('embed.fetch', `works in ${heading}`), async ({ skip }) => {
      // SvelteKit needs a newer Node.js than we do.
      const node = await runtime('node@24', skip);
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/api`;
      const code = block(heading, port);
      const [, name = ''] = /^\/\/ (.*)\n/.exec(code) ?? [];
      const folder = createProject({ ...files, [name]: code });
      const running = await startProject(folder, [node, ...args(port)], `${url}/healthz`);
      try {
        await expectServed(url);
      } finally {
        await running.stop();
      }
    });
  }
});
