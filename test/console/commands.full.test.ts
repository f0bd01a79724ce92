import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { ConsoleBrowser, path, serveModule } from './open-console.ts';
import type { Server } from './open-console.ts';
import { CLIPBOARD, copied, python, shell, typescript } from './run-command.ts';

describe.skipIf(!path)('commands to copy', () => {
  const folder = temporaryFolder('console-mount');
  const variables = join(temporaryFolder('console-env'), "it's.env");
  const flags = ['--env', 'SECRET=canary', '--env-file', variables, '--mount', `${folder}:/data:ro,max=1M`];
  let browser: ConsoleBrowser;
  let server: Server;
  let page: Page;
  beforeAll(async () => {
    writeFileSync(join(folder, 'a.txt'), 'a');
    writeFileSync(variables, 'OTHER=second\n');
    const serving = serveModule('test/apps/console-page.ts', ...flags);
    [browser, server] = await Promise.all([ConsoleBrowser.start(), serving]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  afterEach(async () => {
    await page.close();
    browser.expectNothingWrong();
  });

  /** The commands of all wires, and what they print. */
  const runAll = async (environment: NodeJS.ProcessEnv) => {
    const printed: Record<string, string | undefined> = {};
    for (const label of await page.locator('.wires .tabs button').allInnerTexts()) {
      const command = await copied(page, label);
      expect(command).not.toContain('canary');
      const execute = /client|process/.test(label) ? typescript : label === 'Python' ? python : shell;
      printed[label] = await execute(command, environment);
    }
    return printed;
  };

  it(proves('console.wires', 'commands have the variables and folders of the server, and no values'), async () => {
    const link = new URLSearchParams({ input: '{"text":"four"}' });
    page = await browser.open(`${server.url}/console/#/functions/Measure?${link}`, CLIPBOARD);
    await page.locator('.wires').waitFor();
    const printed = await runAll({ ...server.environment, SECRET: 'canary' });
    const result = { length: 4, variables: { SECRET: 'canary', OTHER: 'second' }, files: ['data'] };
    const body = JSON.stringify({ result });
    expect(JSON.parse(printed['Command line']!)).toEqual({ result });
    expect(printed['Command line']).toBe(body);
    expect(printed['CGI']).toContain(`\r\n\r\n${body}`);
    expect(JSON.parse(printed['In process']!)).toEqual(result);
    expect(printed['curl']).toBe(body);
  });

  it(proves('console.wires', 'commands with long arguments run'), async () => {
    page = await browser.open(`${server.url}/console/#/functions/Measure`, CLIPBOARD);
    const text = `EOF it's $HOME \n EOF ${'x'.repeat(200_000)}`;
    await page.locator('.call').waitFor();
    await page.locator('.root textarea, .root input').first().fill(text);
    const printed = await runAll({ ...server.environment, SECRET: 'canary' });
    const length = `"length":${text.length}`;
    for (const [wire, output = length] of Object.entries(printed))
      expect([wire, output.replaceAll('\\', '')]).toEqual([wire, expect.stringContaining(length)]);
  });
});
