// This package or another checkout of it, by its folder, so that two versions can be measured in one run.
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { add } from './add.mjs';
import { tellParent } from './tell-parent.mjs';

const [folder, kind] = process.argv.slice(2);
const entry = (name) => import(pathToFileURL(`${folder}/dist/${name}.js`).href);
const { createApp, defineFunction } = await entry('index');
const { serve } = await entry('node');

const integer = (description) => z.int().describe(description);
const described =
  kind === 'zod'
    ? { ...add, input: z.object({ x: integer('First'), y: integer('Second') }), output: integer('Sum') }
    : add;
const run = kind === 'async' ? async ({ x, y }) => x + y : ({ x, y }) => x + y;
const app = createApp({ name: 'Bench', version: '1.0.0', functions: [defineFunction({ ...described, run })] });
const { server } = await serve(app, { port: 0 });
// Its own account is finer than the kernel's, which counts in hundredths of a second.
process.on('message', () => process.send({ cpu: process.cpuUsage() }));
tellParent(server.address().port);
