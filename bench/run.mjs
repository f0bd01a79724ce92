// Compares what a call costs: everywire beside its peers and beside the same written by hand, on every wire.
import { parseArgs } from 'node:util';
import { measureAgainst } from './against.mjs';
import { provenance } from './report/provenance.mjs';
import { redraw, save } from './report/results.mjs';
import { renderSection } from './report/section.mjs';
import { sections } from './sections/index.mjs';

// A warm-up of 1,000 requests was measured to be too short: processor time per request was still half as much again.
const FULL = { rounds: 5, warmup: { requests: 20_000, seconds: 3 }, seconds: 1, starts: 15, sizes: 4, installs: 10 };
const QUICK = { rounds: 1, warmup: { requests: 500, seconds: 0.2 }, seconds: 0.2, starts: 1, sizes: 2, installs: 1 };

const HELP = `Usage: npm run bench -- [options]

  --only <section>  one of ${Object.keys(sections).join(', ')}; may be given more than once
  --quick           a minute or two instead of a quarter of an hour; good for seeing that it works
  --save            write results.json, RESULTS.md and the charts, as a full run of everything does anyway
  --against <path>  compare HTTP here and in another built checkout of everywire, in turns; nothing is saved
  --redraw          measure nothing; write RESULTS.md and the charts from results.json
  --help            this text`;

// Node says nothing when it ends because nothing is left that could bring what is awaited.
process.on('exit', (code) => code === 13 && console.error('No result: nobody is left to wait for'));

try {
  const options = read(process.argv.slice(2));
  if (options.help) console.log(HELP);
  else if (options.redraw) redraw();
  else if (options.against) console.log(await measureAgainst(options.against, options.quick));
  else await bench(options);
} catch (error) {
  console.error(`No result: ${error.message}`);
  process.exitCode = 1;
}

function read(args) {
  const flag = { type: 'boolean', default: false };
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true },
      against: { type: 'string' },
      quick: flag,
      save: flag,
      redraw: flag,
      help: flag,
    },
  });
  const unknown = values.only?.find((name) => !Object.hasOwn(sections, name));
  if (unknown !== undefined) throw new Error(`there is no section "${unknown}"; --help tells which there are`);
  return values;
}

async function bench({ only, quick, save: isToBeSaved }) {
  const settings = quick ? QUICK : FULL;
  for (const name of only ?? Object.keys(sections)) {
    const section = sections[name];
    console.error(`Measuring ${name}`);
    const data = await section.measure(settings);
    const measured = { ...provenance(section.packages), settings, data };
    console.log(`${renderSection(section, measured)}\n`);
    // At once: should a later section fail, it alone has to be measured again.
    if (isToBeSaved || (!only && !quick)) save({ [name]: measured });
  }
}
