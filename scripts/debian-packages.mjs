// The tests drive programs that npm cannot install. Where that is allowed, this installs them;
// where not, it says what will not be tested. In CI nothing may go untested.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// Each of these packages is named after the command it brings, except for PostgreSQL and the library of Python.
const USUAL = ['curl', 'openssl', 'postgresql', 'redis-server', 'chromium', 'python3'];
/** For `npm run test:full` alone. */
const FULL = ['zsh', 'fish', 'apache2', 'lighttpd', 'nginx', 'fcgiwrap', 'python3-requests'];
const PACKAGES = process.argv.includes('--full') ? [...USUAL, ...FULL] : USUAL;

const LOOK = { postgresql: hasPostgres, 'python3-requests': hasRequests };
const missing = () => PACKAGES.filter((name) => !(LOOK[name] ?? isInstalled)(name));

if (missing().length > 0 && process.getuid?.() === 0 && isInstalled('apt-get')) {
  // A list of packages that was fetched long ago, or never, names versions that are gone.
  apt('update');
  withoutServices(() => apt('install', '-y', '--no-install-recommends', ...missing()));
}

if (missing().length > 0) {
  console.error(`NOT INSTALLED: ${missing().join(', ')}. Tests that need them are skipped; in CI they fail.`);
  process.exitCode = process.env.CI === 'true' ? 1 : 0;
}

function isInstalled(command) {
  // Looking is instant, and this runs before every test run.
  // Servers are in a folder that is not on everybody's PATH.
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Debian keeps the server of each version in a folder of its own, which is on nobody's PATH. */
function hasPostgres() {
  const versions = '/usr/lib/postgresql';
  const isThere = (version) => existsSync(join(versions, version, 'bin/initdb'));
  return isInstalled('initdb') || (existsSync(versions) && readdirSync(versions).some(isThere));
}

/** For the command that the console shows for Python. */
function hasRequests() {
  return spawnSync('python3', ['-c', 'import requests']).status === 0;
}

/** The tests start the servers themselves, on ports of their own; nobody else asked for them to run. */
function withoutServices(install) {
  const policy = '/usr/sbin/policy-rc.d';
  if (existsSync(policy)) return install();
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return install();
  } finally {
    rmSync(policy);
  }
}

function apt(...args) {
  // All to stderr: stdout belongs to whatever runs next. What failed shows as still missing.
  spawnSync('apt-get', args, {
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
