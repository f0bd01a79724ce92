import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const execute = promisify(execFile);

/** What the button of a wire copies. */
export async function copied(page: Page, wire: string): Promise<string> {
  await page.locator('.wires .tabs').getByRole('button', { name: wire, exact: true }).click();
  await page
    .locator('.wires')
    .getByRole('button', { name: `Copy ${wire}`, exact: true })
    .click();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Runs a command as if it were typed. npx would look for a package of that name in the registry of this clone, and build it. */
export async function shell(typed: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const file = join(temporaryFolder('console-shell'), 'command.sh');
  // A file, since a word of a command may not be as long as some commands are.
  writeFileSync(file, typed.replace('npx everywire', 'node dist/bin/everywire.js'));
  const { stdout } = await execute('sh', [file], { env: environment, maxBuffer: 64 * 1024 * 1024 }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

/** Runs TypeScript next to a link to this package; it prints JSON. */
export async function typescript(source: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const folder = temporaryFolder('console-code');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/everywire'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(folder, 'call.ts'),
    source.replace('console.log(', 'console.log(JSON.stringify(').replace(/\);$/, '));'),
  );
  return shell(`JITI_FS_CACHE=false node_modules/.bin/jiti ${join(folder, 'call.ts')}`, environment);
}

/** Runs Python, if it has what the console's programs import: scripts/debian-packages.mjs installs it. */
export async function python(source: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const hasRequests = (await shell('python3 -c "import requests" && echo yes', environment)) === 'yes\n';
  if (!hasRequests) return undefined;
  const file = join(temporaryFolder('console-python'), 'call.py');
  writeFileSync(file, source);
  return shell(`python3 ${file}`, environment);
}
