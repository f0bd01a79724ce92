import { dockerfile } from '../containers/dockerfile.ts';
import { dockerignore } from '../containers/dockerignore.ts';
import { manifest, tsconfig } from './manifest.ts';
import { modulePath } from './project.ts';
import type { Project } from './project.ts';
import { readme } from './readme.ts';
import { sources } from './sources.ts';
import { workflow } from './workflow.ts';

/** The files of a new project, by path with slashes, in the order in which a reader should see them. */
export function projectFiles(project: Project): Readonly<Record<string, string>> {
  return {
    ...sources(project),
    'package.json': manifest(project),
    'tsconfig.json': tsconfig,
    'README.md': readme(project),
    '.gitignore': GITIGNORE,
    ...(project.ci && { '.github/workflows/test.yml': workflow }),
    ...(project.docker && container(project)),
    ...project.clientFiles,
  };
}

const GITIGNORE = 'node_modules/\ndist/\n*.log\n.env\n';

/** What `everywire containerize` would write once the project is installed. */
function container(project: Project): Readonly<Record<string, string>> {
  const module = modulePath(project);
  const install = { files: ['package.json', 'package-lock.json'], needsSources: false, hasNpmrc: false };
  const facts = {
    title: project.name,
    version: '0.1.0',
    description: undefined,
    license: undefined,
    baseDigest: undefined,
  };
  return {
    Dockerfile: dockerfile({ module, install, ...facts }),
    '.dockerignore': dockerignore(module),
  };
}
