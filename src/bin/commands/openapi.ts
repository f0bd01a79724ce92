import { Command, Option } from 'commander';
import type { OpenApiVersion } from '../../wires/http/openapi.ts';
import type { AppSource } from './app-source.ts';
import { withEnvironment } from '../options/environment.ts';
import { claimStdout } from '../../stdout/claim.ts';

interface OpenApiFlags {
  readonly openapiVersion: OpenApiVersion;
  readonly server: string;
}

export function openApiCommand(source: AppSource): Command {
  const command = source.declare(new Command('openapi').description('print the OpenAPI document'));
  command
    .addOption(
      new Option('--openapi-version <version>', 'the version of the OpenAPI specification')
        .choices(['3.1', '3.0'])
        .default('3.1'),
    )
    .option('--server <url>', 'the base URL of the API, for the document', '/');
  return withEnvironment(command).action(async (...args: unknown[]) => {
    const { write } = await claimStdout('text');
    const { openApiText } = await import('../../wires/http/openapi.ts');
    const { openapiVersion, server } = command.opts<OpenApiFlags>();
    const text = openApiText(await source.load(args as string[]), openapiVersion, server);
    write(`${text}\n`, () => process.exit(0));
  });
}
