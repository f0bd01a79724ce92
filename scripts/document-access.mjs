// Prints docs/access.md with its matrix generated again, by presenting every credential on every wire. A test compares
// them.
import { readFileSync } from 'node:fs';
import { createJiti } from 'jiti';

const { observe, render } = await createJiti(import.meta.url, { fsCache: false }).import(
  '../test/access/matrix/matrix.ts',
);

const page = readFileSync('docs/access.md', 'utf8');
const matrix = `\n${render(await observe())}\n\n`;
process.stdout.write(page.replace(/(?<=<!-- made by running it -->\n).*(?=<!-- until here -->)/s, () => matrix));
