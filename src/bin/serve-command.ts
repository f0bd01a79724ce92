import { Command, InvalidArgumentError, Option } from 'commander';
import type { AppSource } from './app-source.ts';
import { variablesOf, withEnvironment } from './environment-options.ts';
import type { EnvironmentOptions } from './environment-options.ts';

interface ServeFlags extends EnvironmentOptions {
  readonly port: number;
  readonly host: string;
  readonly allowHost?: string[];
  readonly allowOrigin?: string[];
}

export function serveCommand(source: AppSource): Command {
  const command = source.declare(
    new Command('serve').description('serve the functions over HTTP and MCP, with an OpenAPI document'),
  );
  command
    // From the environment too, so that an image can have defaults of its own and whoever runs it need not repeat them.
    .addOption(
      new Option('--port <number>', 'the port to listen on; 0 for any free one')
        .env('EVERYWIRE_PORT')
        .argParser(parsePort)
        .default(8080),
    )
    .addOption(
      new Option('--host <address>', 'the address to listen on; 0.0.0.0 for all')
        .env('EVERYWIRE_HOST')
        .default('127.0.0.1'),
    )
    .option('--allow-host <name>', 'a Host header to accept; repeatable', collect)
    .option('--allow-origin <origin>', 'an Origin whose pages may call; repeatable', collect);
  return withEnvironment(command).action(async (...args: unknown[]) => {
    const { serveUntilTold } = await import('./serve.ts');
    const { port, host, allowHost, allowOrigin, ...environment } = command.opts<ServeFlags>();
    const app = await source.load(args as string[]);
    await serveUntilTold(app, { port, host, hosts: allowHost, origins: allowOrigin, env: variablesOf(environment) });
  });
}

function collect(value: string, sofar: string[] = []): string[] {
  return [...sofar, value];
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError('expected a number from 0 to 65535');
  return port;
}
