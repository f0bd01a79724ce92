import { readFileSync } from 'node:fs';

/** Lines of code in a file: those that are neither blank nor a comment. */
export function countLines(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;
}
