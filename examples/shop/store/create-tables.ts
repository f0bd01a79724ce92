import type pg from 'pg';
import { firstProducts } from './first-products.ts';

const TABLES = `
  CREATE TABLE IF NOT EXISTS products (
    sku text PRIMARY KEY,
    name text NOT NULL,
    price integer NOT NULL CHECK (price >= 0),
    stock integer NOT NULL CHECK (stock >= 0),
    picture_name text,
    picture_type text,
    picture bytea
  );
  CREATE TABLE IF NOT EXISTS orders (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer text NOT NULL,
    entered_by text NOT NULL,
    status text NOT NULL DEFAULT 'open',
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX IF NOT EXISTS orders_customer ON orders (customer);
  CREATE TABLE IF NOT EXISTS order_items (
    order_id integer NOT NULL REFERENCES orders,
    sku text NOT NULL REFERENCES products,
    quantity integer NOT NULL CHECK (quantity > 0),
    price integer NOT NULL,
    PRIMARY KEY (order_id, sku)
  )`;

/** Any number. Two processes that start at the same time create the tables one after the other. */
const LOCK = 20_261_117;

/** Creates what is missing; fills a new shop. */
export async function createTables(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const { rows } = await client.query<{ isNew: boolean }>(`SELECT to_regclass('products') IS NULL AS "isNew"`);
    await client.query(TABLES);
    if (rows[0]?.isNew) {
      for (const { sku, name, price, stock } of firstProducts) {
        const statement = 'INSERT INTO products (sku, name, price, stock) VALUES ($1, $2, $3, $4)';
        await client.query(statement, [sku, name, price, stock]);
      }
    }
    await client.query('COMMIT');
  } finally {
    // Ends a transaction that failed: nothing of it stays.
    client.release(true);
  }
}
