import { firstLine } from './generated.ts';

/** What docker must not be sent: secrets, and what is big or made anew within. */
export function dockerignore(module: string): string {
  const isBuilt = module.startsWith('dist/');
  const lines = [
    firstLine,
    '',
    '# Secrets',
    '**/.env*',
    '**/.npmrc',
    '**/.netrc',
    '**/.ssh',
    '**/.aws',
    '**/*.pem',
    '**/*.key',
    '',
    '# Made anew within, or of no use there',
    '.git',
    '**/node_modules',
    // An app that was compiled before is all there is to build from.
    ...(isBuilt ? [] : ['dist']),
    '**/*.built.mjs',
    'coverage',
    '**/.cache*',
    '**/*.log',
    '**/*.tsbuildinfo',
    '.github',
    '.idea',
    '.vscode',
    'Dockerfile',
    '.dockerignore',
  ];
  return `${lines.join('\n')}\n`;
}
