import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { ConsoleBrowser, path } from './open-console.ts';

const source = (name: string) => `
import { createApp, defineFunction } from 'everywire';
const one = defineFunction({ name: '${name}', description: 'A function', run: () => {} });
export default createApp({ name: 'Edited', version: '1.0.0', functions: [one] });
`;

describe.skipIf(!path)('the console of everywire dev', () => {
  let browser: ConsoleBrowser;
  beforeAll(async () => {
    browser = await ConsoleBrowser.start();
  });
  afterAll(() => browser?.close());

  it(proves('console.shown', 'shows the functions of the newest version'), async () => {
    const folder = temporaryFolder('console-dev');
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(resolve('.'), join(folder, 'node_modules/everywire'));
    const module = join(folder, 'app.mjs');
    writeFileSync(module, source('Before'));
    const program = resolve('dist/bin/everywire.js');
    const child = spawn(process.execPath, [program, 'dev', module, '--port', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, XDG_CACHE_HOME: folder, NODE_ENV: 'test' },
    });
    try {
      let printed = '';
      const url = await new Promise<string>((found) => {
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          printed += text;
          const [, link] = /Console +(http\S+)/.exec(printed) ?? [];
          if (link !== undefined) found(link);
        });
      });
      const page = await browser.open(url);
      await page.locator('.side a', { hasText: 'Before' }).waitFor();
      writeFileSync(module, source('After'));
      await page.locator('.side a', { hasText: 'After' }).waitFor();
      expect(await page.locator('.side a', { hasText: 'Before' }).count()).toBe(0);
      await page.close();
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
    }
  });
});
