import { createCli } from 'trpc-cli';
import { router } from './quote.mjs';

createCli({ router, name: 'shop' }).run();
