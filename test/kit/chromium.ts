import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from './temporary-folder.ts';

/** The path of Chromium, if it is installed. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, 'chromium')).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

type Parameters = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly result?: any;
  readonly error?: { readonly message: string };
}

/** A page in the browser. */
export interface Page {
  /** Runs an expression in the page, waits for its promise, and returns its value as JSON. */
  evaluate(expression: string): Promise<any>;
  /** Sends a command of the DevTools protocol to the page. */
  send(method: string, parameters?: Parameters): Promise<any>;
}

/** Real Chromium without a window, driven with the DevTools protocol over a pipe. */
export class Chromium {
  readonly #pending = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  readonly #output: Writable;
  #last = 0;

  private constructor(private readonly child: ChildProcess) {
    this.#output = child.stdio[3] as Writable;
    this.#output.on('error', () => {}); // it may have ended
    const input = child.stdio[4] as Readable;
    let rest = '';
    input.setEncoding('utf8').on('data', (chunk: string) => {
      const messages = (rest + chunk).split('\0');
      rest = messages.pop() ?? '';
      for (const message of messages) this.#receive(JSON.parse(message) as Message);
    });
    child.once('exit', (code) => {
      for (const { reject } of this.#pending.values()) reject(new Error(`Chromium ended with ${code}`));
    });
  }

  static async start(path: string, ...flags: readonly string[]): Promise<Chromium> {
    const profile = temporaryFolder('chromium');
    const child = spawn(
      path,
      [
        '--headless',
        '--remote-debugging-pipe',
        `--user-data-dir=${profile}`,
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-background-networking',
        '--disable-breakpad',
        '--disable-component-update',
        '--disable-dev-shm-usage',
        '--disable-gpu',
        '--disable-sync',
        '--no-default-browser-check',
        '--no-first-run',
        '--no-proxy-server',
        ...flags,
      ],
      // Certificates and settings go to HOME, whatever the profile is.
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: profile } },
    );
    const browser = new Chromium(child);
    await browser.send('Browser.getVersion');
    return browser;
  }

  send(method: string, params: Parameters = {}, sessionId?: string): Promise<any> {
    const id = ++this.#last;
    this.#output.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }));
  }

  #receive({ id, result, error }: Message): void {
    const waiting = this.#pending.get(id ?? 0);
    if (!waiting) return;
    this.#pending.delete(id ?? 0);
    if (error) waiting.reject(new Error(error.message));
    else waiting.resolve(result);
  }

  /** Opens a page, and waits until it has loaded. */
  async open(url: string): Promise<Page> {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page: Page = {
      send: (method, parameters) => this.send(method, parameters, sessionId),
      async evaluate(expression) {
        const parameters = { expression, awaitPromise: true, returnByValue: true };
        const { result, exceptionDetails } = await page.send('Runtime.evaluate', parameters);
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
      },
    };
    await page.send('Page.navigate', { url });
    // Until then the page is about:blank.
    const isLoaded = `location.href === ${JSON.stringify(url)} && document.readyState === 'complete'`;
    while (!(await page.evaluate(isLoaded))) await sleep(10);
    return page;
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    await this.send('Browser.close').catch(() => {});
    await ended;
  }
}
