/** All that the shop keeps. Amounts of money are in cents. */
export interface Store {
  listProducts(search: string, limit: number): Promise<Product[]>;
  findProduct(sku: string): Promise<Product | undefined>;
  /** False if there is one with the same SKU. */
  addProduct(product: Product): Promise<boolean>;
  /** False if there is no such product. */
  setPicture(sku: string, picture: Picture): Promise<boolean>;
  findPicture(sku: string): Promise<Picture | undefined>;
  /** Takes the items out of the stock, all of them or none. */
  createOrder(order: NewOrder): Promise<Order | OrderProblem>;
  /** The newest first. */
  listOrders(customer: string, limit: number): Promise<Order[]>;
  findOrder(id: number): Promise<Order | undefined>;
  /** Puts the items back into the stock. Undefined if there is no such order, or if it was cancelled before. */
  cancelOrder(id: number): Promise<Order | undefined>;
  close(): Promise<void>;
}

export interface Product {
  readonly sku: string;
  readonly name: string;
  readonly price: number;
  readonly stock: number;
}

export interface Picture {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Item {
  readonly sku: string;
  readonly quantity: number;
}

export interface NewOrder {
  readonly customer: string;
  readonly enteredBy: string;
  readonly items: readonly Item[];
}

export interface Order {
  readonly id: number;
  readonly customer: string;
  readonly enteredBy: string;
  readonly status: 'open' | 'cancelled';
  readonly createdAt: Date;
  readonly items: readonly (Item & { readonly price: number })[];
}

export interface OrderProblem {
  readonly problem: 'UNKNOWN_PRODUCT' | 'OUT_OF_STOCK';
  readonly sku: string;
}

/** One item for each product, ordered by SKU, so that two orders never wait for each other. */
export function mergeItems(items: readonly Item[]): Item[] {
  const quantities = new Map<string, number>();
  for (const { sku, quantity } of items) quantities.set(sku, (quantities.get(sku) ?? 0) + quantity);
  return [...quantities].map(([sku, quantity]) => ({ sku, quantity })).sort((a, b) => (a.sku < b.sku ? -1 : 1));
}
