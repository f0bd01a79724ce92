import { gzipSync } from 'node:zlib';
import { createApp, defineFunction } from 'everywire';
import { z } from 'zod';

const COUNTS = [1, 30, 150];

/** Of the same functions, when every response described five profiles and nothing but schemas was shared. */
const BEFORE = { 1: 35_521, 30: 777_926, 150: 3_850_199 };

export const openapi = {
  title: 'Size of the OpenAPI document',
  how: () => 'Once: the same app always gives the same bytes.',
  packages: ['zod'],

  async measure() {
    return Promise.all(
      COUNTS.map(async (count) => {
        const app = createApp({ name: 'Sizes', version: '1.0.0', functions: Array.from({ length: count }, add) });
        const [own, all] = await Promise.all(['own', 'all'].map((profiles) => documentOf(app, profiles)));
        return { count, own: own.length, zipped: gzipSync(own).length, all: all.length };
      }),
    );
  },

  tables(measured) {
    const [first] = measured;
    const rows = measured.map(({ count, own, zipped, all }) => [
      String(count),
      bytes(BEFORE[count]),
      bytes(own),
      count === 1 ? '' : bytes((own - first.own) / (count - 1)),
      bytes(zipped),
      bytes(all),
    ]);
    const head = ['functions', 'before', 'now', 'each more', 'gzip', '?profiles=all'];
    const notes = [
      'Bytes of `GET /openapi.json`. Each function adds two integers, and has an example.',
      'Before: indented, with five profiles in every response.',
    ];
    return [{ caption: 'Bytes by functions', head, rows, notes }];
  },
};

const add = (_, i) =>
  defineFunction({
    name: `Add${i + 1}`,
    description: 'Adds two integers together',
    input: z.object({
      x: z.int().describe('First integer to add'),
      y: z.int().describe('Second integer to add'),
    }),
    output: z.int().describe('Sum of x and y'),
    examples: [{ input: { x: 10, y: 20 }, output: 30 }],
    run: ({ x, y }) => x + y,
  });

async function documentOf(app, profiles) {
  const response = await app.fetch(new Request(`http://localhost/openapi.json?profiles=${profiles}`));
  return Buffer.from(await response.arrayBuffer());
}

const bytes = (count) => Math.round(count).toLocaleString('en');
