// Compares what a request costs: everywire beside Fastify and bare node:http, doing the same job, and beside a
// hand-written CGI script.
import { writeFileSync } from 'node:fs';
import { measure } from './measure.mjs';
import { report, reportStartUp } from './report.mjs';
import { measureStartUp } from './start-up.mjs';

const CONTENDERS = ['node-http', 'fastify', 'everywire', 'everywire-async', 'everywire-zod'];

const FULL = { rounds: 5, warmup: 20_000, seconds: 3, starts: 15 };
const QUICK = { rounds: 2, warmup: 1000, seconds: 0.25, starts: 2 };

const HELP = `Usage: npm run bench -- [--quick] [--save]

  --quick  a few seconds instead of two minutes; good for seeing that it works
  --save   also write the table to bench/RESULTS.md
  --help   this text`;

const flags = process.argv.slice(2);
const wrong = flags.find((flag) => !['--quick', '--save', '--help'].includes(flag));

if (wrong !== undefined) {
  console.error(`Unknown argument ${JSON.stringify(wrong)}; --help tells which there are.`);
  process.exitCode = 2;
} else if (flags.includes('--help')) {
  console.log(HELP);
} else {
  try {
    await bench(flags.includes('--quick') ? QUICK : FULL);
  } catch (error) {
    console.error(`No result: ${error.message}`);
    process.exitCode = 1;
  }
}

async function bench(settings) {
  const runs = Object.fromEntries(CONTENDERS.map((name) => [name, []]));
  for (let round = 1; round <= settings.rounds; round++) {
    console.error(`Round ${round} of ${settings.rounds}`);
    // In turns, so that a machine that slows down slows all of them.
    for (const name of CONTENDERS) runs[name].push(await measure(name, settings));
  }
  console.error('Starting processes');
  const starts = await measureStartUp(settings.starts);
  const text = `${report(runs, settings)}\n\n${reportStartUp(starts)}`;
  console.log(text);
  if (flags.includes('--save')) {
    writeFileSync(new URL('RESULTS.md', import.meta.url), `# Benchmark\n\n${text}\n`);
  }
}
