import type { App } from '../../app/app.ts';
import { refuse } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import { createEnvironment } from '../../env/environment.ts';
import type { EnvironmentOptions } from '../../env/environment.ts';
import { answerCgi } from '../../hosts/cgi.ts';
import { encodeCgi, replyWithoutApp } from '../../wires/cgi/wire.ts';
import type { OriginRules } from '../../wires/http/origin.ts';
import { endProcess } from '../end-process.ts';
import { claimStdout, claimStdoutSync } from '../../stdout/claim.ts';
import { surviveStrays } from '../uncaught.ts';
import { printError } from '../../stdout/stderr.ts';

/** Answers the request that a web server started this process for. Whatever the app does, there is a response. */
export async function respondToCgi(
  load: () => Promise<App>,
  { hosts, origins, ...options }: OriginRules & EnvironmentOptions,
): Promise<void> {
  const variables = { ...process.env };
  const { REQUEST_METHOD: method } = variables;
  if (method === undefined) return explain();
  // Before anything of the app is loaded: from here on stdout is the response's.
  const { write } = await claimStdout('protocol');
  // A client's Proxy header, and not what libraries take it for (httpoxy).
  delete process.env['HTTP_PROXY'];

  let answered = false;
  let why: string | undefined;
  const send = ({ head, body }: ReturnType<typeof encodeCgi>) => {
    if (answered) return;
    answered = true;
    write(Buffer.from(typeof body === 'string' ? head + body : head));
  };
  // The app may end the process, or wait for what never comes.
  process.on('exit', () => {
    if (!answered) why ??= 'the app ended before it answered, or waits for what never comes';
    if (why !== undefined) printError(why);
    send(encodeCgi(replyWithoutApp(BROKEN), method));
    process.exitCode = 0;
  });
  surviveStrays((thrown) => {
    why = `uncaught: ${reasonOf(thrown)}`;
    process.exit(0);
  });

  try {
    const environment = createEnvironment(options);
    const reply = await answerCgi(await load(), variables, { hosts, origins, environment });
    send(reply);
    if (typeof reply.body !== 'string') for await (const chunk of reply.body) write(chunk);
  } catch (error) {
    why = reasonOf(error);
  }
  process.exit(0); // the app may hold timers and connections open
}

/** Where the command itself is wrong, which is no fault of whoever sent the request. */
export function answerBroken(): never {
  return answerWith(BROKEN);
}

/** A query whose words may be among the arguments (see cgi-arguments.ts). */
export function refuseQuery(): never {
  return answerWith(refuse('BAD_REQUEST', 'A query without = is not accepted here'));
}

function answerWith(failure: Failed): never {
  const { head, body } = encodeCgi(replyWithoutApp(failure), process.env['REQUEST_METHOD'] ?? 'GET');
  claimStdoutSync().write(Buffer.from(`${head}${body as string}`));
  process.exit(0);
}

const BROKEN = refuse('INTERNAL_ERROR', 'The server could not answer');

/** For the server's error log, where the stack is wanted. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.name === 'ModuleError' || thrown.name === 'AppError'
    ? thrown.message
    : (thrown.stack ?? thrown.message);
}

function explain(): void {
  printError(
    'REQUEST_METHOD is not set: a web server runs this command, and sets it. By hand:\n' +
      `  echo '{}' | REQUEST_METHOD=POST PATH_INFO=/<function> <this command>`,
  );
  endProcess(2);
}
