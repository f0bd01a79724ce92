// Takes the pictures of the console in docs/console, with Debian's Chromium: `npm run build && node scripts/screenshots.mjs`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { chromium } = createRequire(`${root}test/package.json`)('playwright-core');
const folder = `${root}docs/console`;
const PORT = 18_080;
const url = `http://127.0.0.1:${PORT}`;

const server = spawn(
  process.execPath,
  ['dist/bin/everywire.js', 'serve', 'examples/calculator/app.ts', '--port', PORT],
  {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  },
);
await once(server.stderr, 'data');
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
mkdirSync(folder, { recursive: true });
try {
  await picture('light', { width: 1280, height: 1420 }, showCall);
  await picture('dark', { width: 1280, height: 1080 }, showForm);
  await picture('live', { width: 1280, height: 800 }, showLive);
  await picture('phone', { width: 375, height: 812 }, showForm);
  await picture('error', { width: 1280, height: 800 }, showError);
} finally {
  await browser.close();
  server.kill();
  await once(server, 'exit');
}

async function picture(name, viewport, show) {
  const page = await browser.newPage({ viewport, colorScheme: name === 'dark' ? 'dark' : 'light' });
  await show(page);
  await page.evaluate(() => document.activeElement?.blur());
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.close();
}

async function open(page, name, input) {
  await page.goto(`${url}/console/#/functions/${name}?${new URLSearchParams({ input: JSON.stringify(input) })}`);
  await page.locator('.call').waitFor();
}

async function call(page) {
  await page.locator('.call button.primary').click();
  await page.locator('.answer').waitFor();
}

async function showCall(page) {
  await open(page, 'Add', { x: 10, y: 20 });
  await call(page);
  await page.getByRole('button', { name: 'Compare wires' }).click();
  await page.locator('[data-equal]').waitFor();
}

async function showForm(page) {
  await open(page, 'Statistics', { values: [1, 2, 4], measure: 'mean', round: { digits: 1 } });
  await call(page);
}

async function showError(page) {
  await open(page, 'Divide', { dividend: 1, divisor: 0 });
  await call(page);
}

async function showLive(page) {
  await page.goto(`${url}/console/#/live`);
  await page.locator('.live .badge.good').waitFor();
  const headers = { 'content-type': 'application/json' };
  for (let i = 0; i < 120; i++) {
    const name = ['Add', 'DivMod', 'Divide'][i % 3];
    const body = name === 'Divide' ? { dividend: i, divisor: i % 4 } : { x: i, y: (i % 7) + 1 };
    await fetch(`${url}/functions/${name}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (i % 12 === 0) await page.waitForTimeout(250);
  }
  await page.locator('.charts[data-drawn=true]').waitFor();
  await page.waitForTimeout(1200);
}
