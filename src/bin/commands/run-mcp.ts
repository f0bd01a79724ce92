import type { App } from '../../app/app.ts';
import { createEnvironment } from '../../env/environment.ts';
import type { EnvironmentOptions } from '../../env/environment.ts';
import { serveMcpStdio } from '../../wires/mcp/stdio.ts';
import { claimStdin } from '../../stdout/claim-stdin.ts';
import { claimStdout } from '../../stdout/claim.ts';
import { streamTo } from '../../stdout/stream.ts';
import { describeThrown, surviveUncaught } from '../uncaught.ts';
import { isTerminalAt } from '../../stdout/descriptor.ts';
import { printError, printWarning } from '../../stdout/stderr.ts';

interface StdioOptions extends EnvironmentOptions {
  readonly names?: 'portable' | undefined;
}

/** Serves until stdin ends or a signal arrives. A second signal exits at once. */
export async function serveOnStdio(load: () => Promise<App>, { names, ...options }: StdioOptions): Promise<void> {
  // Before the app is loaded: from here on, only we write to stdout.
  const output = streamTo(await claimStdout('protocol'));
  const input = claimStdin();
  const app = await load();
  surviveUncaught();
  const served = serveMcpStdio(app, input, output, {
    environment: createEnvironment(options),
    names,
    onError: (thrown) => printError(describeThrown(thrown)),
  });
  // A client starts the server with stderr in its log, where the same line each time would only be noise.
  if (!names && isTerminalAt(2)) {
    const warning = (await import('./client-config.ts')).dotWarning(app);
    if (warning !== undefined) printWarning(warning);
  }
  let isStopping = false;
  const stop = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    void served.drain();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const { unanswered, written } = await served.ended;
  if (unanswered > 0) printError(`${unanswered} of the calls in progress did not end in time`);
  if (written === 'cut') printError('the client stopped reading; the last responses were not written');
  process.exit(unanswered > 0 || written === 'cut' ? 1 : 0); // the app may hold timers and connections open
}
