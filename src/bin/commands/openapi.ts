import { Command, Option } from 'commander';
import type { OpenApiProfiles, OpenApiVersion } from '../../wires/http/openapi/document.ts';
import type { AppSource } from './app-source.ts';
import { withEnvironment } from '../options/environment.ts';
import type { Process } from '../process.ts';

interface OpenApiFlags {
  readonly openapiVersion: OpenApiVersion;
  readonly server: string;
  readonly profiles: OpenApiProfiles;
}

export function openApiCommand(proc: Process, source: AppSource): Command {
  const command = source.declare(new Command('openapi').description('print the OpenAPI document'));
  command
    .addOption(
      new Option('--openapi-version <version>', 'the version of the OpenAPI specification')
        .choices(['3.1', '3.0'])
        .default('3.1'),
    )
    .addOption(
      new Option('--profiles <which>', "describe the app's own response profile, or all of them")
        .choices(['own', 'all'])
        .default('own'),
    )
    .option('--server <url>', 'the base URL of the API, for the document', '/');
  return withEnvironment(proc, command).action(async (...args: unknown[]) => {
    const { write } = await proc.claimStdout('text');
    const { openApiDocument } = await import('../../wires/http/openapi/document.ts');
    const { openapiVersion, server, profiles } = command.opts<OpenApiFlags>();
    const document = openApiDocument(await source.load(args as string[]), openapiVersion, server, profiles);
    // Indented, to be read and compared line by line. Over HTTP it is not.
    write(`${JSON.stringify(document, null, 2)}\n`);
    proc.end(0);
  });
}
