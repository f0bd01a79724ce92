import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import type { App } from '../../app/app.ts';
import { dockerfile } from '../../containers/dockerfile.ts';
import { dockerignore } from '../../containers/dockerignore.ts';
import { ProjectError, readInstall } from '../../containers/project.ts';
import { isPlain } from '../../load/app-origin.ts';
import { docker } from './docker.ts';
import type { DockerFailure } from './docker.ts';
import { writeGenerated } from './generated-files.ts';
import type { Process } from '../process.ts';

export interface ContainerizeOptions {
  readonly image?: string;
  readonly push?: boolean;
  readonly dockerfileOnly?: boolean;
  readonly baseDigest?: string;
}

/** Makes an image of the project in the current folder. Returns the exit code. */
export async function containerize(
  proc: Process,
  app: App,
  module: string,
  options: ContainerizeOptions,
): Promise<number> {
  const folder = proc.cwd;
  const say = (line: string) => void proc.stderr.write(`${line}\n`);
  const fail = ({ code, reason }: DockerFailure, done: string) => {
    proc.printError(`${reason}; ${done}`);
    return code;
  };
  const install = await readInstall(folder, isPlain(app));
  const path = pathWithin(folder, proc.resolve(module), module);
  await writeGenerated(folder, {
    Dockerfile: dockerfile({
      module: path,
      install,
      title: app.name,
      version: app.version,
      description: app.description,
      license: app.license?.identifier ?? app.license?.name,
      baseDigest: options.baseDigest,
    }),
    '.dockerignore': dockerignore(path),
  });
  const { image = '<name>', push = false, dockerfileOnly = false } = options;
  const secrets = install.hasNpmrc ? ['--secret', 'id=npmrc,src=.npmrc'] : [];
  const build = ['build', '--tag', image, '--file', 'Dockerfile', ...secrets, '.'];
  const byHand = `build it with: docker ${build.join(' ')}`;
  say(`Wrote Dockerfile and .dockerignore${dockerfileOnly ? `; ${byHand}` : ''}`);
  if (dockerfileOnly) return 0;

  const unbuilt = await docker(build, folder);
  if (unbuilt) return fail(unbuilt, `the Dockerfile is written, ${byHand}`);
  say(`Built ${image}; run it with: docker run --rm --read-only --publish 8080:8080 ${image}`);
  if (!push) return 0;

  const unpushed = await docker(['push', image], folder);
  if (unpushed) return fail(unpushed, `the image is built, push it with: docker push ${image}`);
  say(`Pushed ${image}`);
  return 0;
}

/** The path of the module relative to the project's folder, which is all that docker sees. */
function pathWithin(folder: string, module: string, shown: string): string {
  if (!existsSync(module)) throw new ProjectError(`No such module: ${shown}`);
  const path = relative(realpathSync(folder), realpathSync(module));
  if (path.startsWith('..') || isAbsolute(path))
    throw new ProjectError(
      `${shown} is outside the current folder, which is all that docker sees; run this in the folder of its project`,
    );
  return path.split(sep).join('/');
}
