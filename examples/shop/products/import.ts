import { Failure } from 'everywire';
import { z } from 'zod';
import { defineFunction } from '../define.ts';
import { STAFF } from '../staff.ts';
import { addProduct } from './catalogue.ts';
import { readLines } from './read-lines.ts';
import { product } from './schemas.ts';

const row = z.object({
  line: z.int().describe('The line in the file'),
  sku: z.string().describe('The product'),
  problem: z.string().optional().describe('Why it was not added'),
});

export const importProducts = defineFunction({
  name: 'products.Import',
  description: 'Adds the products of a CSV file: sku;name;price;stock, one on each line',
  tags: ['products', STAFF],
  cli: { positional: ['file'] },
  input: z.object({ file: z.file().max(10_000_000).describe('The CSV file, in UTF-8') }),
  yields: row.describe('A line that was read'),
  output: z
    .object({ added: z.int().describe('Products added'), refused: z.int().describe('Lines refused') })
    .describe('What was done'),
  errors: { LINE_TOO_LONG: { description: 'A line has more than 1000 characters.', status: 400 } },
  async *run({ file }, { call, progress }) {
    const counts = { added: 0, refused: 0 };
    let read = 0;
    for await (const { number, text, bytes } of readLines(file.stream())) {
      progress((read += bytes), file.size, `line ${number}`);
      if (text.trim() === '') continue;
      const [sku = '', name, price, stock] = text.split(';');
      const parsed = product.safeParse({ sku, name, price: Number(price), stock: Number(stock) });
      const problem = parsed.success ? await add(parsed.data) : mistakesIn(parsed.error);
      counts[problem === undefined ? 'added' : 'refused']++;
      yield { line: number, sku, ...(problem !== undefined && { problem }) };
    }
    return counts;

    /** What is wrong with a product, if something is. */
    async function add(data: z.infer<typeof product>): Promise<string | undefined> {
      try {
        await call(addProduct, data);
        return undefined;
      } catch (error) {
        if (error instanceof Failure && error.code === 'ALREADY_EXISTS') return error.message;
        throw error;
      }
    }
  },
});

const mistakesIn = ({ issues }: z.core.$ZodError) =>
  issues.map(({ message, path }) => `${message} at ${path.join('.')}`).join('; ');
