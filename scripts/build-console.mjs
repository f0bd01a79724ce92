// Bundles the page of the console: one script, one for the charts, which is loaded with them, a style sheet and a picture.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const source = fileURLToPath(new URL('../src/console/', import.meta.url));
const modules = fileURLToPath(new URL('../node_modules/', import.meta.url));

/** In this order: later ones count more. */
const STYLES = ['colours', 'frame', 'controls', 'call', 'tables', 'phone'];

export async function buildConsole(folder) {
  mkdirSync(folder, { recursive: true });
  const build = await rolldown({
    input: { main: join(source, 'main.tsx') },
    platform: 'browser',
    transform: { target: 'es2023' },
    logLevel: 'warn',
  });
  const { output } = await build.generate({
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    minify: true,
    comments: false,
  });
  await build.close();
  for (const { fileName, code, source: asset } of output) writeFileSync(join(folder, fileName), code ?? asset);
  const styles = [
    ...STYLES.map((name) => join(source, `styles/${name}.css`)),
    join(modules, 'uplot/dist/uPlot.min.css'),
  ];
  writeFileSync(join(folder, 'console.css'), styles.map((file) => readFileSync(file, 'utf8')).join(''));
  for (const name of ['index.html', 'icon.svg']) writeFileSync(join(folder, name), readFileSync(join(source, name)));
}
