import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { findChromium } from '../kit/chromium.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

export const path = findChromium();

export interface Server {
  readonly url: string;
  readonly environment: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

/** `everywire serve` in a process of its own, with a cache folder of its own. */
export async function serveModule(module: string, ...flags: readonly string[]): Promise<Server> {
  const environment = { ...process.env, XDG_CACHE_HOME: temporaryFolder('console-cache'), NODE_ENV: 'test' };
  const child = spawn(process.execPath, ['dist/bin/everywire.js', 'serve', module, '--port', '0', ...flags], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const greeting = await greetingOf(child);
  const url = /HTTP +(http\S+)\/functions/.exec(greeting)![1]!;
  return {
    url,
    environment,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function greetingOf(child: ChildProcess): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (/MCP +http.*\n[^]*\n\n/.test(text)) resolve(text);
    });
    child.once('exit', () => reject(new Error(`The server ended: ${text}`)));
  });
}

/** A browser whose pages note everything that must never happen. */
export class ConsoleBrowser {
  readonly #wrong: string[] = [];

  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<ConsoleBrowser> {
    const options = { executablePath: path!, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] };
    return new ConsoleBrowser(await chromium.launch(options));
  }

  async open(url: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await this.browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
    const { origin } = new URL(url);
    page.setDefaultTimeout(20_000);
    page.on('pageerror', ({ message }) => this.#wrong.push(message));
    page.on('dialog', (dialog) => {
      this.#wrong.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      // A failed call is shown by the browser as an error, too.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        this.#wrong.push(message.text());
    });
    page.on('request', (request) => {
      const target = new URL(request.url());
      if (!['data:', 'blob:'].includes(target.protocol) && target.origin !== origin)
        this.#wrong.push(`request to ${request.url()}`);
    });
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => console.error(`CSP: ${event.violatedDirective}`));
    });
    await page.goto(url);
    await page.waitForSelector('.top');
    return page;
  }

  /** After each test: no script error, no dialog, no violation of the policy, no request to another origin. */
  expectNothingWrong(): void {
    expect(this.#wrong.splice(0)).toEqual([]);
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}
