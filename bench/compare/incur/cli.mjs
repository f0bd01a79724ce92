import { cli } from './quote.mjs';

await cli.serve();
