import type { App } from '../app.ts';
import type { Variables } from '../core/context.ts';
import { messageOf } from '../core/failure.ts';
import { serveMcpStdio } from '../wires/mcp/stdio.ts';
import { claimOutput } from './stdout.ts';
import { surviveStrays } from './strays.ts';
import { complain } from './terminal.ts';

/** Serves until the input ends or a signal comes; a second signal does not wait. */
export async function serveOnStdio(load: () => Promise<App>, env: Variables | undefined): Promise<void> {
  const output = claimOutput();
  const app = await load();
  surviveStrays((thrown) => complain(`uncaught: ${messageOf(thrown)}`));
  const served = serveMcpStdio(app, process.stdin, output, env);
  let isStopping = false;
  const stop = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    void served.drain();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await served.ended;
  process.exit(0); // the app may hold timers and connections open
}
