import type { App } from '../../app/app.ts';
import { refuse } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import { createEnvironment } from '../../env/environment.ts';
import type { EnvironmentOptions } from '../../env/environment.ts';
import { handleCgi } from '../../hosts/cgi.ts';
import { isUserError } from '../../load/module-error.ts';
import { encodeCgi, replyWithoutApp } from '../../wires/cgi/wire.ts';
import type { OriginRules } from '../../wires/http/origin.ts';
import { stopAndEnd } from '../end-process.ts';
import type { Process } from '../process.ts';
import { describeThrown, surviveUncaught } from '../uncaught.ts';

/** Responds to the request that a web server started this process for. There is a response whatever the app does. */
export async function respondToCgi(
  proc: Process,
  load: () => Promise<App>,
  { hosts, cors, ...options }: OriginRules & EnvironmentOptions,
): Promise<void> {
  const variables = { ...proc.env };
  const { REQUEST_METHOD: method } = variables;
  if (method === undefined) return explain(proc);
  // Before the app is loaded: from here on, only we write to stdout.
  const stdout = await proc.claimStdout('protocol');
  const { write } = stdout;
  // httpoxy: this is the client's Proxy header, but libraries take it for the URL of a proxy.
  delete proc.env['HTTP_PROXY'];
  // Neither the app nor the processes that it starts need to know them.
  for (const name of CREDENTIALS) delete proc.env[name];

  let app: App | undefined;
  let answered = false;
  let isEnding = false;
  let cancel: (() => void) | undefined;
  let reason: string | undefined;
  const send = ({ head, body }: ReturnType<typeof encodeCgi>) => {
    if (answered) return;
    answered = true;
    write(Buffer.from(typeof body === 'string' ? head + body : head));
  };
  // The app may end the process, or wait forever.
  proc.on('exit', () => {
    if (!answered) reason ??= 'the app ended the process before it responded, or never responds';
    if (reason !== undefined) proc.printError(reason);
    send(encodeCgi(replyWithoutApp(BROKEN), method));
    return 0;
  });
  const end = () => {
    isEnding = true;
    cancel?.(); // the function may still run
    return stopAndEnd(proc, app, 0); // the app may hold timers and connections open
  };
  const giveUp = (why: string) => {
    reason ??= why;
    send(encodeCgi(replyWithoutApp(BROKEN), method));
    return end();
  };
  surviveUncaught(proc, (thrown) => {
    const why = `uncaught: ${reasonOf(thrown)}`;
    if (isEnding) proc.printError(why);
    else void giveUp(why);
  });

  try {
    const environment = createEnvironment(options);
    let closing: Promise<void> | undefined;
    const onClosing = (closed: Promise<void>) => void (closing = closed);
    app = await load();
    if (app.needsStop) {
      proc.on('SIGTERM', () => cancel?.());
      proc.onWriteError(() => void end());
      proc.on('idle', () => void (isEnding || giveUp('the app never responds')));
    }
    const onDisconnect = (listener: () => void) => void (cancel = listener);
    const reply = await handleCgi(app, variables, {
      hosts,
      cors,
      environment,
      onDisconnect,
      onClosing,
      read: proc.readStdin,
      onExit: (listener) => void proc.on('exit', listener),
    });
    send(reply);
    if (typeof reply.body !== 'string') {
      await (await import('../../stdout/copy.ts')).copyToStdout(reply.body, stdout);
      await (await import('../until-closed.ts')).untilClosed(closing);
    }
  } catch (error) {
    return giveUp(reasonOf(error));
  }
  return end();
}

const CREDENTIALS = ['HTTP_AUTHORIZATION', 'REDIRECT_HTTP_AUTHORIZATION', 'HTTP_PROXY_AUTHORIZATION', 'HTTP_X_API_KEY'];

/** For a command with wrong options: a server error, not the client's. */
export function answerBroken(proc: Process): void {
  answerWith(proc, BROKEN);
}

/** For a query whose words may be among the arguments (see cgi-arguments.ts). */
export function refuseQuery(proc: Process): void {
  answerWith(proc, refuse('BAD_REQUEST', 'A query without = is not accepted here'));
}

function answerWith(proc: Process, failure: Failed): void {
  const { head, body } = encodeCgi(replyWithoutApp(failure), proc.env['REQUEST_METHOD'] ?? 'GET');
  proc.claimStdoutSync().write(Buffer.from(`${head}${body as string}`));
  proc.end(0);
}

const BROKEN = refuse('INTERNAL_ERROR', 'The server could not answer');

/** For the error log of the web server. */
const reasonOf = (thrown: unknown) => (isUserError(thrown) ? thrown.message : describeThrown(thrown));

function explain(proc: Process): void {
  proc.printError(
    'REQUEST_METHOD is not set; this command is run by a web server, which sets it. To try it:\n' +
      `  echo '{}' | REQUEST_METHOD=POST PATH_INFO=/<function> <this command>`,
  );
  proc.end(2);
}
