import { program } from 'commander';
import { z } from 'zod';
import { input, quote } from './quote.mjs';

program
  .name('shop')
  .command('quote')
  .description('The price of an order')
  .requiredOption('--product <tea|mug>', 'What to buy')
  .requiredOption('--quantity <number>', 'How many', Number)
  .action((options) => {
    const { data, error } = input.safeParse(options);
    if (error) program.error(z.prettifyError(error));
    console.log(JSON.stringify(quote(data)));
  });

program.parse();
