import { Command, InvalidArgumentError, Option } from 'commander';
import { isImageName } from '../../containers/image-name.ts';
import type { AppSource } from './app-source.ts';
import type { ContainerizeOptions } from './run-containerize.ts';
import type { Process } from '../process.ts';

export function containerizeCommand(proc: Process, source: AppSource): Command {
  const command = source.declare(
    new Command('containerize').description('write a Dockerfile, and build and push an image with docker'),
  );
  command
    .option('--image <name[:tag]>', 'the image to build, such as ghcr.io/you/calculator:1.0', parseImage)
    .addOption(new Option('--push', 'push the image after the build').conflicts('dockerfileOnly'))
    .option('--dockerfile-only', 'write Dockerfile and .dockerignore, and do not run docker')
    .option('--base-digest <sha256:…>', 'the digest of the base image', parseDigest);
  return command.action(async (...args: unknown[]) => {
    const options = command.opts<ContainerizeOptions>();
    if (options.image === undefined && !options.dockerfileOnly)
      command.error("error: required option '--image <name[:tag]>' not specified; or use --dockerfile-only", {
        exitCode: 2,
      });
    proc.claimStdoutSync();
    const { containerize } = await import('./run-containerize.ts');
    const app = await source.load(args as string[]);
    proc.end(await containerize(proc, app, String(args[0]), options));
  });
}

function parseImage(text: string): string {
  if (!isImageName(text))
    throw new InvalidArgumentError('expected an image name in lower case, such as ghcr.io/you/calculator:1.0');
  return text;
}

function parseDigest(text: string): string {
  if (!/^sha256:[0-9a-f]{64}$/.test(text)) throw new InvalidArgumentError('expected sha256: and 64 hexadecimal digits');
  return text;
}
