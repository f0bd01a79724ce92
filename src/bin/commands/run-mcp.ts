import type { App } from '../../app/app.ts';
import { createEnvironment } from '../../env/environment.ts';
import type { EnvironmentOptions } from '../../env/environment.ts';
import { serveMcpStdio } from '../../wires/mcp/stdio.ts';
import { claimStdin } from '../../stdout/claim-stdin.ts';
import { claimStdout } from '../../stdout/claim.ts';
import { hostsThatRefuse } from './client-config.ts';
import { streamTo } from '../../stdout/stream.ts';
import { reasonOf, surviveStrays } from '../uncaught.ts';
import { complain } from '../../stdout/stderr.ts';

interface StdioOptions extends EnvironmentOptions {
  readonly names?: 'portable' | undefined;
}

/** Serves until the input ends or a signal comes; a second signal does not wait. */
export async function serveOnStdio(load: () => Promise<App>, { names, ...options }: StdioOptions): Promise<void> {
  // Before anything of the app is loaded: from here on stdout is the protocol's.
  const output = streamTo(await claimStdout('protocol'));
  const input = claimStdin();
  const app = await load();
  surviveStrays();
  const served = serveMcpStdio(app, input, output, {
    environment: createEnvironment(options),
    names,
    onError: (thrown) => complain(reasonOf(thrown)),
  });
  const refusing = names ? [] : hostsThatRefuse(app.functions.map(({ operationId }) => operationId));
  if (refusing.length > 0)
    complain(`${refusing.join(' and ')} refuse names with a dot; for them, use --names portable`);
  let isStopping = false;
  const stop = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    void served.drain();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const { unanswered, written } = await served.ended;
  if (unanswered > 0) complain(`${unanswered} of the calls under way did not end in time`);
  if (written === 'cut') complain('the client stopped reading; the last answers were not written');
  process.exit(unanswered > 0 || written === 'cut' ? 1 : 0); // the app may hold timers and connections open
}
