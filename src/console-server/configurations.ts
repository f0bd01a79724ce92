import type { App } from '../app/app.ts';
import { moduleOf } from '../load/app-origin.ts';
import { clientFacts, clients, configFor } from '../wires/mcp/client-config.ts';
import type { ConsoleOptions } from './console-options.ts';

/** What `mcp-config` prints, for each MCP client, without secrets. None if the app was not loaded from a module. */
export function configurationsOf(app: App, { command, flags = [] }: ConsoleOptions): object {
  const module = moduleOf(app);
  if (module === undefined || command === undefined) return { configurations: [] };
  return {
    configurations: clients.map((client) => ({
      client,
      file: clientFacts[client].file,
      text: configFor(client, app, { program: command.at(-1)!, module }, withoutValues(flags)),
    })),
  };
}

/** `--env NAME` takes the value from the environment of the client: who may watch the server may not know it. */
export function withoutValues(flags: readonly string[]): readonly string[] {
  return flags.map((text, i) => {
    if (flags[i - 1] === '--env') return text.split('=', 1)[0]!;
    return text.startsWith('--env=') ? text.split('=', 2).join('=') : text;
  });
}
