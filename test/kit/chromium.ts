import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { shared } from './broker.ts';
import { findProgram } from './find-program.ts';

/** The path of Chromium, if it is installed. */
export const findChromium = () => findProgram('chromium');

/** Tests that need a browser are skipped without it; in CI they fail. */
export const hasChromium = findChromium() !== undefined || process.env['CI'] === 'true';

/** How to start Chromium, with flags of its own. Root needs one. */
export const launchOptions = (...flags: readonly string[]) => ({
  executablePath: findChromium()!,
  args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...flags],
});

/** Pages of the Chromium that all files share, which note everything that must never happen. */
export class WatchedBrowser {
  readonly #wrong: string[] = [];

  private constructor(private readonly browser: Browser) {}

  static async connect(): Promise<WatchedBrowser> {
    return new WatchedBrowser(await chromium.connect((await shared('chromium')).address));
  }

  /** Opens a page that may do what must fail. */
  async openUnwatched(url: string): Promise<Page> {
    const page = await this.browser.newPage();
    await page.goto(url);
    return page;
  }

  async open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
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
    return page;
  }

  /** After each test: no script error, no dialog, no violation of the policy, no request to another origin. */
  expectNothingWrong(): void {
    const wrong = this.#wrong.splice(0);
    if (wrong.length > 0) throw new Error(`In the browser: ${wrong.join('\n')}`);
  }

  /** Closes the pages, and leaves the browser to other files. */
  async close(): Promise<void> {
    await this.browser.close();
  }
}
