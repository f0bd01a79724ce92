import { chmodSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDockerfile, type Step } from '../dockerfile/parse.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { command } from '../kit/command.ts';
import { findProgram } from '../kit/find-program.ts';
import { run } from '../wires/cli.ts';

const EVERYWIRE = resolve('dist/bin/everywire.js');
const INDEX = resolve('dist/index.js');

const INSTALLED = { 'node_modules/everywire': {}, 'node_modules/rolldown': {} };
const LOCK = 'package-lock.json';
const locked = (name: string, entry: object) =>
  JSON.stringify({ packages: { ...INSTALLED, [`node_modules/${name}`]: entry } });

const appNamed = (name: string, description: string) => `
  import { createApp } from ${JSON.stringify(INDEX)};
  export default createApp({
    name: ${JSON.stringify(name)},
    version: '1.2.3',
    description: ${JSON.stringify(description)},
    license: { name: 'MIT licence', identifier: 'MIT' },
    functions: [],
  });`;

/** A project as npm leaves it, without node_modules. */
function project(files: Readonly<Record<string, string>> = {}): string {
  return temporaryFolder('containerize', {
    'package.json': '{}',
    'package-lock.json': JSON.stringify({ packages: INSTALLED }),
    'app.mjs': appNamed('Sums', 'Adds "things"'),
    ...files,
  });
}

const containerize = (folder: string, args: readonly string[], env?: Record<string, string>) =>
  // With variables, another docker is on the PATH: what that prints is seen only of a process.
  env
    ? run([EVERYWIRE, 'containerize', ...args], undefined, env, folder)
    : command(['containerize', ...args], { cwd: folder });

async function dockerfileOf(folder: string, ...args: readonly string[]) {
  const { stderr, code } = await containerize(folder, args.length > 0 ? args : ['app.mjs', '--dockerfile-only']);
  expect(stderr).toContain('Wrote Dockerfile and .dockerignore');
  expect(code).toBe(0);
  return parseDockerfile(readFileSync(join(folder, 'Dockerfile'), 'utf8'));
}

const keywords = (steps: readonly Step[] = []) => steps.map(({ keyword }) => keyword);
const all = (steps: readonly Step[] = [], keyword: string) => steps.filter((step) => step.keyword === keyword);
const propertiesOf = (steps: readonly Step[] = [], keyword: string): Record<string, string> =>
  Object.assign({}, ...all(steps, keyword).map(({ properties }) => properties)) as Record<string, string>;

describe.concurrent('the Dockerfile', () => {
  it(proves('containerize.dockerfile', 'has a stage that builds, and one with what it built alone'), async () => {
    const { stages } = await dockerfileOf(project());
    const [build, final] = stages;
    expect(stages).toHaveLength(2);
    const expected = [
      ['package.json', 'package-lock.json', './'],
      ['.', './'],
    ];
    expect(all(build, 'COPY').map(({ words }) => words)).toEqual(expected);
    expect(all(build, 'RUN').map(({ words }) => words)).toEqual([
      ['npm', 'ci'],
      ['npx', '--no', '--', 'everywire', 'build', './app.mjs', '--out', '/app/app.mjs', '--copy-externals'],
      ['chmod', '0555', '/app/app.mjs'],
    ]);
    expect(all(final, 'COPY')).toMatchObject([{ flags: { from: 'build' }, words: ['/app/', '/app/'] }]);
    expect(all(final, 'RUN')).toEqual([]);
  });

  it(proves('containerize.dockerfile', 'runs as a user that is not root, and takes serve, mcp and cgi'), async () => {
    const final = (await dockerfileOf(project())).stages[1];
    expect(all(final, 'USER').map(({ text }) => text)).toEqual(['1000:1000']);
    expect(keywords(final).indexOf('USER')).toBeGreaterThan(keywords(final).lastIndexOf('COPY'));
    expect(all(final, 'ENTRYPOINT')[0]?.words).toEqual(['node', '/app/app.mjs']);
    expect(all(final, 'CMD')[0]?.words).toEqual(['serve']);
    expect(all(final, 'EXPOSE')[0]?.text).toBe('8080');
    expect(propertiesOf(final, 'ENV')).toEqual({ NODE_ENV: 'production', EVERYWIRE_HOST: '0.0.0.0' });
    expect(all(final, 'HEALTHCHECK')[0]?.words?.slice(0, 2)).toEqual(['node', '-e']);
    const flags = { interval: '30s', timeout: '5s', 'start-period': '10s', retries: '3' };
    expect(all(final, 'HEALTHCHECK')[0]?.flags).toEqual(flags);
  });

  it(proves('containerize.dockerfile', 'has a base whose digest is a variable, or is given'), async () => {
    const folder = project();
    const loose = await dockerfileOf(folder);
    expect(loose.args).toEqual({ NODE_IMAGE: 'node:24-bookworm-slim', NODE_DIGEST: '' });
    const from = '${NODE_IMAGE}${NODE_DIGEST:+@$NODE_DIGEST}';
    expect(loose.stages.map(([first]) => first?.text)).toEqual([`${from} AS build`, from]);
    const digest = `sha256:${'0a'.repeat(32)}`;
    const pinned = await dockerfileOf(folder, 'app.mjs', '--dockerfile-only', '--base-digest', digest);
    expect(pinned.args['NODE_DIGEST']).toBe(digest);
    const wrong = await containerize(folder, ['app.mjs', '--dockerfile-only', '--base-digest', 'sha256:12\nRUN x']);
    expect(wrong.stderr).toContain('expected sha256: and 64 hexadecimal digits');
    expect(wrong.code).toBe(2);
  });

  it(proves('containerize.dockerfile', 'has labels of the app'), async () => {
    expect(propertiesOf((await dockerfileOf(project())).stages[1], 'LABEL')).toEqual({
      'org.opencontainers.image.title': 'Sums',
      'org.opencontainers.image.version': '1.2.3',
      'org.opencontainers.image.description': 'Adds "things"',
      'org.opencontainers.image.licenses': 'MIT',
    });
  });

  const hostile = [
    'x"\nRUN touch /pwned\n#',
    '"\r\nUSER root\u2028USER root\u0000',
    'ends with \\',
    '\\\nUSER root',
    '$HOME ${PATH} \\$HOME $(id) `id`',
    '" evil="1',
    "it's <<EOF\nRUN x\nEOF",
    '# syntax=evil/frontend',
  ];
  it.each(hostile)(proves('containerize.inert', 'says what an app is called and adds no step: %j'), async (text) => {
    const plain = await dockerfileOf(project());
    const { stages } = await dockerfileOf(project({ 'app.mjs': appNamed(text, text) }));
    expect(stages.map(keywords)).toEqual(plain.stages.map(keywords));
    const label = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
    const expected = { 'org.opencontainers.image.title': label, 'org.opencontainers.image.description': label };
    expect(propertiesOf(stages[1], 'LABEL')).toMatchObject(expected);
  });

  it.each(['-rf.mjs', 'a b.mjs', '$(id).mjs', 'it"s\nRUN x.mjs', '<<EOF.mjs'])(
    proves('containerize.inert', 'builds a module of any name, as one word: %j'),
    async (name) => {
      const folder = project({ [name]: appNamed('Odd', 'Odd') });
      const { stages } = await dockerfileOf(folder, '--dockerfile-only', '--', name);
      expect(all(stages[0], 'RUN')[1]?.words?.[5]).toBe(`./${name}`);
      expect(keywords(stages[0])).toEqual(['FROM', 'WORKDIR', 'COPY', 'RUN', 'COPY', 'RUN', 'RUN']);
    },
  );

  const everything = '. npm npx chmod';
  it.each([
    ['a tarball', { [LOCK]: locked('a', { resolved: 'file:lib/a.tgz' }) }, 'package.json lib/a.tgz npm . npx chmod'],
    ['a workspace', { [LOCK]: locked('b', { resolved: 'packages/b', link: true }) }, everything],
    ['an odd name', { [LOCK]: locked('c', { resolved: 'file:$HOME*.tgz' }) }, everything],
    ['a script', { 'package.json': '{"scripts":{"prepare":"tsc"}}' }, everything],
  ])(proves('containerize.dockerfile', 'copies what npm ci needs first: %s'), async (_title, files, copies) => {
    const [build = []] = (await dockerfileOf(project(files))).stages;
    const steps = build.filter(({ keyword }) => keyword === 'COPY' || keyword === 'RUN');
    expect(steps.map(({ words }) => words?.[0]).join(' ')).toBe(copies);
  });

  it(proves('containerize.dockerfile', 'gives npm its settings as a secret, which no layer keeps'), async () => {
    const folder = project({ '.npmrc': '//registry.example/:_authToken=t' });
    const { stages } = await dockerfileOf(folder);
    const flags = { mount: 'type=secret,id=npmrc,target=/src/.npmrc' };
    expect(all(stages[0], 'RUN')[0]).toMatchObject({ flags, words: ['npm', 'ci'] });
    expect(readFileSync(join(folder, '.dockerignore'), 'utf8')).toContain('**/.npmrc\n');
  });
});

describe.concurrent('what is refused', () => {
  const wrong = ['-rm', '--privileged', 'Sums', 'sums:', 'sums:a b', 'sums;id', '$(id)', 'a//b', 'a..b'];
  const long = [`a:${'t'.repeat(129)}`, 'ab'.repeat(128), 'a0'.repeat(32)];
  it.each([...wrong, ...long, 'sums@sha256:00', 'https://example.com/sums', ''])(
    proves('containerize.inert', 'an image called %j'),
    async (image) => {
      const folder = project();
      const { stderr, code } = await containerize(folder, ['app.mjs', `--image=${image}`]);
      expect(stderr).toContain('expected an image name in lower case, such as ghcr.io/you/calculator:1.0\n');
      expect(code).toBe(2);
      expect(existsSync(join(folder, 'Dockerfile'))).toBe(false);
    },
  );

  it.each([
    ['no package.json', { 'package.json': undefined }, 'No package.json here; run this in the folder'],
    ['no lock', { [LOCK]: undefined }, 'No package-lock.json here; create one with: npm install'],
    ['a lock that is broken', { [LOCK]: '{' }, 'package-lock.json is not JSON'],
    ['a project without everywire', { [LOCK]: '{}' }, 'everywire is not in package-lock.json; add it with: npm'],
    [
      'no bundler',
      { [LOCK]: '{"packages":{"node_modules/everywire":{}}}' },
      'rolldown is not in package-lock.json; add',
    ],
    [
      'what docker cannot reach',
      { [LOCK]: locked('a', { resolved: '../a', link: true }) },
      `${LOCK} refers to ../a/, out`,
    ],
  ])(proves('containerize.files', '%s'), async (_title, files, sentence) => {
    const folder = project();
    for (const [name, text] of Object.entries(files)) {
      if (text === undefined) rmSync(join(folder, name));
      else writeFileSync(join(folder, name), text);
    }
    const { stdout, stderr, code } = await containerize(folder, ['app.mjs', '--dockerfile-only']);
    expect([stdout, stderr.split('\n').length, code]).toEqual(['', 2, 1]);
    expect(stderr).toContain(`error: ${sentence}`);
  });

  it.each([
    [[join(project(), 'app.mjs'), '--dockerfile-only'], 'app.mjs is outside the current folder, which is all that', 1],
    [['none.mjs', '--dockerfile-only'], 'none.mjs exports no app', 1],
    [['app.mjs'], "required option '--image <name[:tag]>' not specified", 2],
    [['app.mjs', '--image=a', '--push', '--dockerfile-only'], "'--push' cannot be used with option '--dockerfile", 2],
  ])(proves('containerize.files', '%j'), async (args, message, code) => {
    const ran = await containerize(project({ 'none.mjs': '' }), args);
    expect([ran.stderr, ran.code]).toEqual([expect.stringContaining(message), code]);
  });

  it.each(['Dockerfile', '.dockerignore'])(proves('containerize.files', 'to write over another %s'), async (name) => {
    const folder = project({ [name]: '# mine\n' });
    const { stderr, code } = await containerize(folder, ['app.mjs', '--dockerfile-only']);
    expect(stderr).toBe(`error: ${name} exists and was not generated; move or delete it first\n`);
    expect(code).toBe(1);
    expect(readFileSync(join(folder, name), 'utf8')).toBe('# mine\n');
    expect(readdirSync(folder).filter((file) => /docker/i.test(file))).toEqual([name]);
  });

  it(proves('containerize.files', 'nothing of its own, which is written anew, to the same bytes'), async () => {
    const folder = project();
    const texts = () => ['Dockerfile', '.dockerignore'].map((name) => readFileSync(join(folder, name), 'utf8'));
    await dockerfileOf(folder);
    const [dockerfile = '', ignored = ''] = texts();
    writeFileSync(join(folder, 'Dockerfile'), `${dockerfile}RUN another\n`);
    await dockerfileOf(folder);
    expect(texts()).toEqual([dockerfile, ignored]);
    expect(readdirSync(folder).toSorted()).toEqual(
      ['.dockerignore', 'Dockerfile', 'app.mjs', LOCK, 'package.json'].toSorted(),
    );
  });
});

describe.concurrent('an app that is a command itself', () => {
  const NODE = JSON.stringify(resolve('dist/node.js'));
  const loading = `import { loadApp } from ${NODE};
    const app = await loadApp(new URL('./app.mjs', import.meta.url));
    await app.run(process.argv);`;
  const own = `${appNamed('Own', 'Own').replace('export default', 'const app =')}\nawait app.run(process.argv);`;
  const inProject = (folder: string, ...args: readonly string[]) => run(args, undefined, undefined, folder);

  it(proves('containerize.dockerfile', 'builds the module that it has loaded, or one that is named'), async () => {
    const folder = project({ 'sums.mjs': loading, 'other.mjs': appNamed('Other', 'Other') });
    const built = async (...args: readonly string[]) => {
      expect((await inProject(folder, 'sums.mjs', 'containerize', '--dockerfile-only', ...args)).code).toBe(0);
      const { stages } = parseDockerfile(readFileSync(join(folder, 'Dockerfile'), 'utf8'));
      return all(stages[0], 'RUN')[1]?.words?.[5];
    };
    expect(await built()).toBe('./app.mjs');
    expect(await built('other.mjs')).toBe('./other.mjs');
  });

  it(proves('containerize.files', 'needs the name of a module that exists'), async () => {
    const folder = project({ 'own.mjs': own });
    const untold = await inProject(folder, 'own.mjs', 'containerize', '--dockerfile-only');
    const sentence = "error: missing required argument 'module'\nSee own containerize --help\n";
    expect([untold.stderr, untold.code]).toEqual([sentence, 2]);
    const missing = await inProject(folder, 'own.mjs', 'containerize', 'nowhere.ts', '--dockerfile-only');
    expect([missing.stderr, missing.code]).toEqual(['error: No such module: nowhere.ts\n', 1]);
  });
});

describe.concurrent('docker', () => {
  /** A program called docker that records its arguments. */
  function fakeDocker(exits: Readonly<Record<string, number>> = {}) {
    const folder = temporaryFolder('docker', { log: '' });
    const log = join(folder, 'log');
    writeFileSync(
      join(folder, 'docker'),
      `#!${process.execPath}
      require('node:fs').appendFileSync(${JSON.stringify(log)}, JSON.stringify(process.argv.slice(2)) + ',\\n');
      console.log('docker says this on stdout');
      process.exit(${JSON.stringify(exits)}[process.argv[2]] ?? 0);`,
    );
    chmodSync(join(folder, 'docker'), 0o755);
    const calls = () => JSON.parse(`[${readFileSync(log, 'utf8').slice(0, -2)}]`) as unknown;
    return { calls, env: { PATH: [folder, dirname(process.execPath)].join(delimiter) } };
  }

  const IMAGE = 'Registry.example:5000/team__a/sums:v1_B.c-d';
  const BUILD = ['build', '--tag', IMAGE, '--file', 'Dockerfile', '.'];
  const PUSH = ['push', IMAGE];

  const built = `Built ${IMAGE}; run it with: docker run --rm --read-only --publish 8080:8080 ${IMAGE}`;
  const unbuilt = `error: docker build failed with exit code 17; the Dockerfile is written, build it with: docker ${BUILD.join(' ')}`;
  const unpushed = `error: docker push failed with exit code 3; the image is built, push it with: docker push ${IMAGE}`;
  it.each([
    ['builds, and pushes only if asked to', [], {}, [BUILD], built, 0],
    ['pushes what is built', ['--push'], {}, [BUILD, PUSH], `Pushed ${IMAGE}`, 0],
    ['that fails to build: nothing is pushed', ['--push'], { build: 17 }, [BUILD], unbuilt, 17],
    ['that fails to push', ['--push'], { push: 3 }, [BUILD, PUSH], unpushed, 3],
  ])(proves('containerize.docker', '%s'), async (_title, flags, exits, expected, last, exit) => {
    const { calls, env } = fakeDocker(exits);
    const { stdout, stderr, code } = await containerize(project(), ['app.mjs', '--image', IMAGE, ...flags], env);
    expect(calls()).toEqual(expected);
    expect([stdout, stderr.split('\n').at(-2), code]).toEqual(['', last, exit]);
    expect(stderr).toContain('docker says this on stdout');
  });

  it(proves('containerize.docker', 'is given the settings of npm as a secret'), async () => {
    const { calls, env } = fakeDocker();
    await containerize(project({ '.npmrc': '' }), ['app.mjs', '--image', 'sums'], env);
    expect(calls()).toEqual([[...BUILD.with(2, 'sums').slice(0, -1), '--secret', 'id=npmrc,src=.npmrc', '.']]);
  });

  it(proves('containerize.docker', 'that is not installed is one sentence'), async () => {
    const folder = project();
    const { stderr, code } = await containerize(folder, ['app.mjs', '--image', 'sums'], { PATH: folder });
    expect(stderr).toBe(
      'Wrote Dockerfile and .dockerignore\n' +
        'error: docker is not installed, or not on PATH; the Dockerfile is written, ' +
        'build it with: docker build --tag sums --file Dockerfile .\n',
    );
    expect(code).toBe(1);
  });

  const isInstalled = findProgram('docker') !== undefined;
  if (!isInstalled) console.warn('THE REAL DOCKER CLIENT IS NOT TESTED: it is not installed');
});
