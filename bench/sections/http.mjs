import { measureServer, CONNECTIONS } from '../measure/load.mjs';
import { proveHttp } from '../measure/prove-http.mjs';
import { inTurns } from '../measure/turns.mjs';
import { serverTable } from '../report/server-table.mjs';

const PATH = '/functions/Add';
const answerOf = (sum) => `{"result":${sum}}`;

const CONTENDERS = [
  { name: 'hand-written', file: 'http/hand-written.mjs' },
  { name: 'everywire', file: 'http/everywire.mjs' },
  { name: 'everywire, async', file: 'http/everywire-async.mjs' },
  { name: 'everywire, zod', file: 'http/everywire-zod.mjs' },
  { name: 'Fastify', file: 'http/fastify.mjs' },
  { name: 'Hono, zod', file: 'http/hono.mjs' },
  { name: 'Express, zod', file: 'http/express.mjs' },
  { name: 'oRPC, zod', file: 'http/orpc.mjs' },
  // Its addresses and answers have a shape of their own.
  { name: 'tRPC, zod', file: 'http/trpc.mjs', path: '/Add', answerOf: (sum) => `{"result":{"data":${sum}}}` },
];

export const http = {
  title: 'HTTP',
  how: ({ rounds, seconds }) => `Rounds: ${rounds} of ${seconds} s; medians.`,
  packages: [
    'fastify',
    'hono',
    '@hono/node-server',
    '@hono/zod-validator',
    'express',
    '@orpc/server',
    '@orpc/openapi',
    '@trpc/server',
    'zod',
  ],

  measure: ({ rounds, warmup, seconds }) =>
    inTurns(CONTENDERS, rounds, (contender) => {
      const prove = (server) => proveHttp(server, contender.path ?? PATH, contender.answerOf ?? answerOf);
      return measureServer(contender, prove, { warmup, seconds });
    }),

  tables: (servers) => [serverTable(`POST ${PATH}, ${CONNECTIONS} connections`, servers)],
};
