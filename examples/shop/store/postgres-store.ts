import type { Log } from 'everywire';
import { Pool } from 'pg';
import type { PoolClient } from 'pg';
import { createTables } from './create-tables.ts';
import { mergeItems } from './store.ts';
import type { NewOrder, Order, OrderProblem, Picture, Product, Store } from './store.ts';

const PRODUCT = 'SELECT sku, name, price, stock FROM products';

/** Items as they are ordered elsewhere: whoever locks several products does so in the same order. */
const ORDER = `
  SELECT id, customer, entered_by AS "enteredBy", status, created_at AS "createdAt",
    json_agg(json_build_object('sku', sku, 'quantity', quantity, 'price', price) ORDER BY sku COLLATE "C") AS items
  FROM orders JOIN order_items ON order_id = id`;

/** Every value is a parameter of its statement, never a part of it: nothing that a caller sends is read as SQL. */
export class PostgresStore implements Store {
  readonly #pool: Pool;

  private constructor(pool: Pool) {
    this.#pool = pool;
  }

  static async open(url: string, log: Log): Promise<PostgresStore> {
    const pool = new Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 5000 });
    // A connection that breaks while nobody uses it is replaced; without a listener the process would end.
    pool.on('error', (error) => log.warn('A database connection broke', { message: error.message }));
    try {
      await createTables(pool);
    } catch (error) {
      await pool.end();
      throw error;
    }
    return new PostgresStore(pool);
  }

  async listProducts(search: string, limit: number): Promise<Product[]> {
    const found = 'WHERE strpos(lower(name), lower($1)) > 0 ORDER BY sku COLLATE "C" LIMIT $2';
    return this.#rows<Product>(`${PRODUCT} ${found}`, [search, limit]);
  }

  async findProduct(sku: string): Promise<Product | undefined> {
    return (await this.#rows<Product>(`${PRODUCT} WHERE sku = $1`, [sku]))[0];
  }

  async addProduct({ sku, name, price, stock }: Product): Promise<boolean> {
    const statement = 'INSERT INTO products (sku, name, price, stock) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING';
    return (await this.#pool.query(statement, [sku, name, price, stock])).rowCount === 1;
  }

  async setPicture(sku: string, { name, type, bytes }: Picture): Promise<boolean> {
    const statement = 'UPDATE products SET picture_name = $2, picture_type = $3, picture = $4 WHERE sku = $1';
    return (await this.#pool.query(statement, [sku, name, type, bytes])).rowCount === 1;
  }

  async findPicture(sku: string): Promise<Picture | undefined> {
    const columns = 'picture_name AS name, picture_type AS type, picture AS bytes';
    const statement = `SELECT ${columns} FROM products WHERE sku = $1 AND picture IS NOT NULL`;
    return (await this.#rows<Picture>(statement, [sku]))[0];
  }

  createOrder({ customer, enteredBy, items }: NewOrder): Promise<Order | OrderProblem> {
    return this.#transaction(async (client) => {
      const priced = [];
      for (const item of mergeItems(items)) {
        const price = await takeFromStock(client, item.sku, item.quantity);
        if (typeof price !== 'number') return price;
        priced.push({ ...item, price });
      }
      const insert = 'INSERT INTO orders (customer, entered_by) VALUES ($1, $2) RETURNING id';
      const { rows } = await client.query<{ id: number }>(insert, [customer, enteredBy]);
      const { id } = first(rows);
      for (const { sku, quantity, price } of priced) {
        const statement = 'INSERT INTO order_items (order_id, sku, quantity, price) VALUES ($1, $2, $3, $4)';
        await client.query(statement, [id, sku, quantity, price]);
      }
      return first(await findOrders(client, id));
    });
  }

  listOrders(customer: string, limit: number): Promise<Order[]> {
    return this.#rows<Order>(`${ORDER} WHERE customer = $1 GROUP BY id ORDER BY id DESC LIMIT $2`, [customer, limit]);
  }

  async findOrder(id: number): Promise<Order | undefined> {
    return (await findOrders(this.#pool, id))[0];
  }

  cancelOrder(id: number): Promise<Order | undefined> {
    return this.#transaction(async (client) => {
      const cancel = `UPDATE orders SET status = 'cancelled' WHERE id = $1 AND status = 'open'`;
      if ((await client.query(cancel, [id])).rowCount === 0) return undefined;
      const order = first(await findOrders(client, id));
      for (const { sku, quantity } of order.items) await takeFromStock(client, sku, -quantity);
      return order;
    });
  }

  /** Waits for statements under way. */
  close(): Promise<void> {
    return this.#pool.end();
  }

  async #rows<Row extends object>(statement: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.#pool.query<Row>(statement, [...values])).rows;
  }

  /** Everything that `work` does, or nothing if it throws or finds a problem. */
  async #transaction<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query(isProblem(result) ? 'ROLLBACK' : 'COMMIT');
      return result;
    } catch (error) {
      // A connection on which even this fails is not used again.
      await client.query('ROLLBACK').catch((problem: Error) => (broken = problem));
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

const isProblem = (result: unknown) => typeof result === 'object' && result !== null && 'problem' in result;

/** For what always returns a row. */
function first<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('The database returned no row');
  return row;
}

/** One, or none. */
async function findOrders(client: Pool | PoolClient, id: number): Promise<Order[]> {
  return (await client.query<Order>(`${ORDER} WHERE id = $1 GROUP BY id`, [id])).rows;
}

/** One statement checks and takes, so that two orders at the same time cannot take the same piece. Returns the price. */
async function takeFromStock(client: PoolClient, sku: string, quantity: number): Promise<number | OrderProblem> {
  const take = 'UPDATE products SET stock = stock - $2 WHERE sku = $1 AND stock >= $2 RETURNING price';
  const { rows } = await client.query<{ price: number }>(take, [sku, quantity]);
  if (rows[0]) return rows[0].price;
  const { rowCount } = await client.query('SELECT 1 FROM products WHERE sku = $1', [sku]);
  return { problem: rowCount === 0 ? 'UNKNOWN_PRODUCT' : 'OUT_OF_STOCK', sku };
}
