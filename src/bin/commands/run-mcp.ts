import type { App } from '../../app/app.ts';
import type { Credentials } from '../../core/credentials.ts';
import { createEnvironment } from '../../env/environment.ts';
import type { EnvironmentOptions } from '../../env/environment.ts';
import { serveMcpStdio } from '../../wires/mcp/stdio.ts';
import type { McpStdio } from '../../wires/mcp/stdio.ts';
import { streamTo } from '../../stdout/stream.ts';
import type { Process } from '../process.ts';
import { startApp } from '../start-app.ts';
import { takeToken, toCredentials } from '../token.ts';
import { describeThrown, surviveUncaught } from '../uncaught.ts';

interface StdioOptions extends EnvironmentOptions {
  readonly names?: 'portable' | undefined;
  /** Those of the client; from the environment by default. Asked once, when this process serves. */
  readonly credentials?: () => Credentials | undefined;
}

/** Serves until stdin ends or a signal arrives. A second signal exits at once. */
export async function serveOnStdio(
  proc: Process,
  load: () => Promise<App>,
  { names, credentials: read = () => toCredentials(takeToken(proc)), ...options }: StdioOptions,
): Promise<void> {
  // Before the app is loaded: from here on, only we write to stdout.
  const output = streamTo(await proc.claimStdout('protocol'));
  const input = proc.claimStdin();
  const credentials = read();
  const app = await load();
  let served: McpStdio | undefined;
  let isStopping = false;
  const stop = () => {
    if (isStopping) return proc.end(1);
    isStopping = true;
    if (served) void served.drain();
    else void end(proc, app, true); // it is still starting
  };
  proc.on('SIGTERM', stop);
  proc.on('SIGINT', stop);
  if (!isTrialRun()) await startApp(proc, app, options);
  if (isStopping) return;
  surviveUncaught(proc);
  served = serveMcpStdio(app, input, output, {
    environment: createEnvironment(options),
    names,
    credentials,
    onError: (thrown) => proc.printError(describeThrown(thrown)),
  });
  // A client starts the server with stderr in its log, where the same line each time would only be noise.
  if (!names && proc.isTerminal(2)) {
    const warning = (await import('../../wires/mcp/client-config.ts')).dotWarning(app);
    if (warning !== undefined) proc.printWarning(warning);
  }
  const { unanswered, written } = await served.ended;
  if (unanswered > 0) proc.printError(`${unanswered} of the calls in progress did not end in time`);
  if (written === 'cut') proc.printError('the client stopped reading; the last responses were not written');
  await end(proc, app, unanswered === 0 && written !== 'cut');
}

async function end(proc: Process, app: App, isClean: boolean): Promise<void> {
  const hasStopped = await app.close();
  proc.end(isClean && hasStopped ? 0 : 1);
}

/** Whether `everywire build` runs its result, to see what it loads: a build must not connect to a database. */
const isTrialRun = () => 'everywireScripts' in globalThis;
