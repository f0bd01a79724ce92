import { createCli } from 'trpc-cli';
import { router } from './quote.mjs';

await createCli({ router, name: 'shop' }).run();
