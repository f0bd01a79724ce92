import { endChild, startChild } from './children.mjs';
import { greeting } from './mcp.mjs';

const PATIENCE = 20_000;

/**
 * An MCP server on stdio, started as clients written in Node start one: with sockets, which is what they give as pipes.
 * A server that would rather have pipes must come to terms with it here, because it must there.
 */
export class StdioServer {
  #child;
  #rest = '';
  #complaints = '';
  #onLines = () => {};
  #onEnd = () => {};

  constructor(name, args, env) {
    this.name = name;
    this.#child = startChild(args, { env });
    this.#child.stderr.setEncoding('utf8').on('data', (text) => (this.#complaints += text));
    this.#child.stdin.on('error', () => {}); // one that ended is noticed by its end
    this.#child.stdout.setEncoding('utf8').on('data', (text) => this.#read(text));
    this.#child.once('exit', () => this.#onEnd());
  }

  get pid() {
    return this.#child.pid;
  }

  /** The answer to the first request, which tells that the server is there. */
  async greet(revision) {
    const answer = await this.ask(greeting(revision, 0));
    if (!answer.result) throw new Error(`${this.name} answered ${revision} with ${JSON.stringify(answer)}`);
    if (revision === '2025-11-25') this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  ask(message) {
    return this.#patiently((resolve) => {
      this.#onLines = (lines) => {
        const answer = lines.map((line) => JSON.parse(line)).find(({ id }) => id === message.id);
        if (answer) resolve(answer);
      };
      this.#send(message);
    });
  }

  /**
   * Keeps so many requests under way until `isEnough(answers, seconds)`, and waits for the last of them. Every answer
   * must be the first one over again, but for its id.
   */
  flood(message, inFlight, isEnough) {
    const [head, tail] = JSON.stringify({ ...message, id: '@' }).split('"@"');
    const start = performance.now();
    let asked = 0;
    let answered = 0;
    let expected;
    const send = (count) => {
      let text = '';
      for (let i = 0; i < count; i++) text += `${head}${++asked}${tail}\n`;
      this.#child.stdin.write(text);
    };
    return this.#patiently((resolve, reject) => {
      this.#onLines = (lines) => {
        for (const line of lines) {
          const anonymous = line.replace(/"id":\d+/, '"id":0');
          expected ??= anonymous;
          if (anonymous !== expected) reject(new Error(`${this.name} answered with ${line}`));
        }
        answered += lines.length;
        const elapsed = (performance.now() - start) / 1000;
        if (!isEnough(answered, elapsed)) send(lines.length);
        else if (answered === asked) resolve({ requests: answered, elapsed });
      };
      send(inFlight);
    });
  }

  /** Hangs up, on which a server leaves. */
  async stop() {
    this.#child.stdin.end();
    await endChild(this.#child, 2000);
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #read(text) {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop();
    if (lines.length > 0) this.#onLines(lines);
  }

  /** Whatever is waited for: not for ever, and not when nobody is left to bring it. */
  #patiently(executor) {
    let timer;
    return new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`${this.name} said nothing for ${PATIENCE} ms`)), PATIENCE);
      this.#onEnd = () => reject(new Error(`${this.name} ended before its time: ${this.#complaints}`));
      executor(resolve, reject);
    }).finally(() => {
      clearTimeout(timer);
      this.#onLines = this.#onEnd = () => {};
    });
  }
}
