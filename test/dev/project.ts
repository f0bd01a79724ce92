import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { call, until } from '../cluster/calling.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const started: ChildProcess[] = [];

/** For `afterAll` of each file. */
export async function stopProjects(): Promise<void> {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGINT');
    await once(child, 'exit');
  }
}

interface StartOptions {
  readonly modules?: readonly string[];
  readonly flags?: readonly string[];
  readonly waits?: boolean;
}

/** A folder with a module, served by a real `everywire dev`. */
export class Project {
  readonly folder = temporaryFolder('dev');
  log = '';
  child!: ChildProcess;

  static async started(files: Readonly<Record<string, string>>, options?: StartOptions): Promise<Project> {
    const project = new Project();
    for (const [name, text] of Object.entries(files)) project.write(name, text);
    return project.start(options);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  /** Starts the command; waits for the banner unless the module is broken. */
  async start({ modules = ['app.ts'], flags = [], waits = true }: StartOptions = {}): Promise<this> {
    this.child = spawn(
      process.execPath,
      [resolve('dist/bin/everywire.js'), 'dev', ...modules, '--port', '0', ...flags],
      { cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    started.push(this.child);
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.log += text));
    if (waits) await this.printed('Ctrl+C ends');
    return this;
  }

  get url(): string {
    return /https?:\/\/[\d.:[\]]+(?=\/functions)/.exec(this.log)![0];
  }

  /** Waits until something was printed so many times. */
  async printed(text: string, times = 1): Promise<void> {
    await until(`${text}\n${this.log}`, () => this.log.split(text).length > times).catch((error: Error) => {
      throw new Error(`${error.message}\nIt printed:\n${this.log}`);
    });
  }

  /** Does something that must lead to a reload, and returns what is printed about that. */
  async reloaded(act: () => void, text = 'reloaded in'): Promise<string> {
    const before = this.log.length;
    const times = this.log.split(text).length - 1;
    act();
    await this.printed(text, times + 1);
    await until('the end of the lines', () => this.log.endsWith('\n'));
    return this.log.slice(before);
  }

  async result(name: string, input?: object): Promise<unknown> {
    return (JSON.parse((await call(this.url, name, input)).body) as { result: unknown }).result;
  }
}

const everywire = JSON.stringify(resolve('dist/index.js'));

/** A module that exports an app. Each function returns its text, or what the code after `=` computes. */
export function appModule(functions: Readonly<Record<string, string>>, { before = '', more = '' } = {}): string {
  const definitions = Object.entries(functions).map(
    ([name, text]) => `defineFunction({
  name: '${name}', description: 'Returns something',
  input: { type: 'object', properties: { ms: { type: 'integer', description: 'How long it takes' } } },
  output: { description: 'Anything' },
  run: async ({ ms = 0 }: any, context: any) => {
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    return ${text.startsWith('=') ? text.slice(1) : JSON.stringify(text)};
  },
})`,
  );
  return `import { createApp, defineFunction } from ${everywire};
${before}
const app = createApp({ name: 'Edited', version: '1.0.0', functions: [${definitions.join(',')}]${more} });
export default app;
`;
}
