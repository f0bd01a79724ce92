import type { Page } from 'playwright-core';
import { ConsoleBrowser, serveModule } from './open-console.ts';
import type { Server } from './open-console.ts';

/** The console of an app whose arguments are hard to show, and what it sends. */
export class Edges {
  readonly #sent: string[] = [];

  private constructor(
    readonly browser: ConsoleBrowser,
    readonly server: Server,
    readonly page: Page,
  ) {
    page.on('request', (request) => {
      if (request.method() === 'POST') this.#sent.push(request.postData() ?? '');
    });
  }

  static async start(): Promise<Edges> {
    const [browser, server] = await Promise.all([ConsoleBrowser.start(), serveModule('test/apps/console-edges.ts')]);
    return new Edges(browser, server, await browser.open(`${server.url}/console/`));
  }

  link(name: string, input?: unknown): string {
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    return `#/functions/${name}${input === undefined ? '' : `?${new URLSearchParams({ input: text })}`}`;
  }

  /** Opens a function in a page that knows nothing yet. */
  async open(name: string, input?: unknown): Promise<void> {
    await this.page.goto('about:blank');
    await this.page.goto(`${this.server.url}/console/${this.link(name, input)}`);
    await this.page.locator('.call').waitFor();
  }

  /** Calls, and returns the body that was sent and the one that was received. */
  async call(): Promise<{ readonly sent: string; readonly body: string }> {
    await this.page.locator('.call button.primary').click();
    await this.page.locator('.answer pre.body').waitFor();
    await this.page.getByRole('button', { name: 'Exact bytes' }).click();
    return { sent: this.#sent.at(-1)!, body: await this.page.locator('.answer pre.body').innerText() };
  }

  /** Presses the button, and returns what was sent: nothing, if there is a mistake. */
  async press(): Promise<readonly string[]> {
    const before = this.#sent.length;
    await this.page.locator('.call button.primary').click();
    await this.page.locator('.call > form > .problem').waitFor();
    return this.#sent.slice(before);
  }

  field(pointer: string, input = 'input, textarea, select') {
    return this.page.locator(`.root [data-pointer="${pointer}"]`).last().locator(input).first();
  }

  async asJson(): Promise<void> {
    await this.page.getByRole('button', { name: 'JSON', exact: true }).click();
  }

  async asForm(): Promise<void> {
    await this.page.getByRole('button', { name: 'Form', exact: true }).click();
  }

  /** The text of the option that a chooser shows. */
  async chosen(selector: string): Promise<string> {
    return this.page
      .locator(selector)
      .first()
      .evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]!.text);
  }

  async close(): Promise<void> {
    await this.browser?.close();
    await this.server?.stop();
  }
}
