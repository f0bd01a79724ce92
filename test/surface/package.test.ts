import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import * as everywire from 'everywire';
import * as access from 'everywire/access';
import * as client from 'everywire/client';
import * as express from 'everywire/express';
import * as fastify from 'everywire/fastify';
import * as hono from 'everywire/hono';
import * as node from 'everywire/node';
import * as telemetry from 'everywire/opentelemetry';
import * as responses from 'everywire/responses';
import * as testing from 'everywire/testing';
import * as wire from 'everywire/wire';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, it } from 'vitest';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

it('exports these names and no others', () => {
  expect(Object.keys(everywire).toSorted()).toEqual([
    'AppError',
    'Failure',
    'auditConsole',
    'codes',
    'commit',
    'createApp',
    'createFiles',
    'defaultLimits',
    'defineFunction',
    'definePrompt',
    'defineResource',
    'defineWith',
    'forms',
    'isApp',
    'memoryFolder',
    'version',
  ]);
  expect(Object.keys(node).toSorted()).toEqual([
    'auditFile',
    'createServer',
    'fromModule',
    'hostFolder',
    'loadApp',
    'run',
    'serve',
    'toNodeHandler',
  ]);
  expect(Object.keys(access).toSorted()).toEqual(['Credentials', 'apiKeys', 'custom', 'introspection', 'jwt']);
  for (const framework of [express, fastify, hono]) expect(Object.keys(framework)).toEqual(['checkResponses']);
  expect(Object.keys(client)).toEqual(['createClient']);
  expect(Object.keys(testing)).toEqual(['createTestContext']);
  expect(Object.keys(telemetry)).toEqual(['observeTasks', 'openTelemetry']);
  expect(Object.keys(responses).toSorted()).toEqual([
    'Failure',
    'ResponseFormatError',
    'assertResponse',
    'checkResponse',
    'createErrorResponse',
    'createProfiles',
    'createSuccessResponse',
    'createToolError',
    'createToolResult',
    'envelopeContent',
    'envelopeSchema',
    'failure',
    'fromStatus',
    'fromThrowable',
    'isOutcome',
    'map',
    'mcpContent',
    'profileNames',
    'profiles',
    'readResponse',
    'rules',
    'success',
    'textOf',
    'toEnvelopeContent',
    'toMcpContent',
    'toStatus',
    'unwrap',
    'wrapTool',
  ]);
  expect(Object.keys(wire).toSorted()).toEqual(['createEnvironment', 'decodeJson', 'refuse', 'wireFactsOf']);
  expect(everywire.version).toBe(version);
});

it('is a package that publint finds nothing wrong with', async () => {
  const { messages, pkg } = await publint({ level: 'suggestion' });
  // Where the repository lives is not decided yet.
  expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([]);
});

it('packs what users need and nothing else', async () => {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']);
  const [packed] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  const tops = new Set(packed.files.map(({ path }) => path.split('/')[0]));
  expect([...tops].toSorted()).toEqual([
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bench',
    'dist',
    'docs',
    'examples',
    'package.json',
    'src',
  ]);
  expect(packed.files.filter(({ path }) => path.includes('node_modules'))).toEqual([]);
});

// Tests see the packages of test/ first. A package that src or the unit tests use, too, must not be another one there.
it('a package of the root has the same version in test/', () => {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, any>>;
  const { dependencies, devDependencies } = read('package.json');
  const root = read('package-lock.json')['packages']!;
  const tests = read('test/package-lock.json')['packages']!;
  const others = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => {
    const path = `node_modules/${name}`;
    return tests[path] && tests[path].version !== root[path]?.version;
  });
  // Of a tool that generates clients; the tests run ours by its path.
  expect(others).toEqual(['typescript']);
});

it.each(['.', 'bench', 'examples/shop', 'test', 'test/conformance', 'test/embedding'])(
  'the lock in %s names no registry',
  (folder) => {
    expect(readFileSync(`${folder}/package-lock.json`, 'utf8')).not.toMatch(/"resolved": "https?:/);
  },
);
