import { readFileSync } from 'node:fs';

/** The code in docs/embedding.md by its heading. */
export const blocks = new Map(
  readFileSync('docs/embedding.md', 'utf8')
    .split(/^#{2,3} /m)
    .flatMap((section) => {
      const [, code] = /^```js\n([^]*?)^```/m.exec(section) ?? [];
      return code === undefined ? [] : [[section.slice(0, section.indexOf('\n')), code] as const];
    }),
);

/** The code under a heading, with a port of this run. */
export function block(heading: string, port: number): string {
  const code = blocks.get(heading);
  if (code === undefined) throw new Error(`docs/embedding.md has no code under "${heading}"`);
  return code.replaceAll('3000', String(port));
}
