import { firstLine } from './generated.ts';
import { healthCheck } from './health-check.ts';
import type { Install } from './project.ts';

/** Everything that an image depends on. */
export interface ImageFacts {
  /** The path of the module, relative to the project, with slashes. */
  readonly module: string;
  readonly install: Install;
  readonly title: string;
  readonly version: string;
  readonly description: string | undefined;
  readonly license: string | undefined;
  /** `sha256:…` of the base image. */
  readonly baseDigest: string | undefined;
}

const HOME = '/app/';

const ENTRY = `${HOME}app.mjs`;

/** Reproducible: the same facts produce the same bytes. */
export function dockerfile(facts: ImageFacts): string {
  return `${firstLine}

# The base image. Pin it with a digest: --build-arg NODE_DIGEST=sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim
ARG NODE_DIGEST=${facts.baseDigest ?? ''}

FROM \${NODE_IMAGE}\${NODE_DIGEST:+@$NODE_DIGEST} AS build
WORKDIR /src
${installation(facts.install).join('\n')}
RUN ${exec('npx', '--no', '--', 'everywire', 'build', `./${facts.module}`, '--out', ENTRY, '--copy-externals')}
RUN ${exec('chmod', '0555', ENTRY)}

FROM \${NODE_IMAGE}\${NODE_DIGEST:+@$NODE_DIGEST}
${labels(facts).join('\n')}
ENV NODE_ENV=production
ENV EVERYWIRE_HOST=0.0.0.0
WORKDIR /app
COPY --from=build ${exec(HOME, HOME)}
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 CMD ${exec('node', '-e', healthCheck(ENTRY))}
ENTRYPOINT ${exec('node', ENTRY)}
CMD ${exec('serve')}
`;
}

function installation({ files, needsSources, hasNpmrc }: Install): string[] {
  // A secret is available while npm runs, and never part of a layer.
  const secret = hasNpmrc ? '--mount=type=secret,id=npmrc,target=/src/.npmrc ' : '';
  const sources = `COPY ${exec('.', './')}`;
  const install = `RUN ${secret}${exec('npm', 'ci')}`;
  if (needsSources) return [sources, install];
  const topLevel = files.filter((file) => !file.includes('/'));
  const nested = files.filter((file) => file.includes('/'));
  return [
    '# Before the sources, so that changing them does not reinstall everything',
    `COPY ${exec(...topLevel, './')}`,
    ...nested.map((file) => `COPY ${exec(file, `./${file}`)}`),
    install,
    sources,
  ];
}

function labels({ title, version, description, license }: ImageFacts): string[] {
  const values = { title, version, description, licenses: license };
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`LABEL org.opencontainers.image.${name}=${quoted(value)}`],
  );
}

/** The exec form, which uses no shell. */
function exec(...words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(', ')}]`;
}

/** Values in a Dockerfile cannot contain line breaks, and `$` must be escaped. */
function quoted(value: string): string {
  const line = value.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return `"${line.replaceAll(/["$\\]/g, String.raw`\$&`)}"`;
}
