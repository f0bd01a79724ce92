import { spawn } from 'node:child_process';

/** Installs the packages of a project. Returns why that failed. */
export function npmInstall(folder: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    // On Windows npm is a script, which only a shell starts. What it is told is the same every time.
    const child = spawn('npm', ['install', '--no-fund'], {
      cwd: folder,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    child.once('error', ({ code }: NodeJS.ErrnoException) => resolve(`npm cannot be started (${code})`));
    child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `npm install failed (${signal ?? code})`));
  });
}
