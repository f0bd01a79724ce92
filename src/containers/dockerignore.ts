import { firstLine } from './generated.ts';

/** Keeps secrets, large folders and generated files out of the build context. */
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
    '# Generated in the image, or not needed there',
    '.git',
    '**/node_modules',
    // The image is built from the compiled module.
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
