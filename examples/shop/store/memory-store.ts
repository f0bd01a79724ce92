import { firstProducts } from './first-products.ts';
import { mergeItems } from './store.ts';
import type { NewOrder, Order, OrderProblem, Picture, Product, Store } from './store.ts';

/** Nothing here waits between reading and writing, so calls cannot get in each other's way. */
export class MemoryStore implements Store {
  readonly #products = new Map(firstProducts.map((product) => [product.sku, product]));
  readonly #pictures = new Map<string, Picture>();
  readonly #orders = new Map<number, Order>();

  async listProducts(search: string, limit: number): Promise<Product[]> {
    const found = [...this.#products.values()].filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
    return found.sort((a, b) => (a.sku < b.sku ? -1 : 1)).slice(0, limit);
  }

  async findProduct(sku: string): Promise<Product | undefined> {
    return this.#products.get(sku);
  }

  async addProduct(product: Product): Promise<boolean> {
    if (this.#products.has(product.sku)) return false;
    this.#products.set(product.sku, product);
    return true;
  }

  async setPicture(sku: string, picture: Picture): Promise<boolean> {
    if (!this.#products.has(sku)) return false;
    this.#pictures.set(sku, picture);
    return true;
  }

  async findPicture(sku: string): Promise<Picture | undefined> {
    return this.#pictures.get(sku);
  }

  async createOrder({ customer, enteredBy, items }: NewOrder): Promise<Order | OrderProblem> {
    const merged = mergeItems(items);
    for (const { sku, quantity } of merged) {
      const product = this.#products.get(sku);
      if (!product) return { problem: 'UNKNOWN_PRODUCT', sku };
      if (product.stock < quantity) return { problem: 'OUT_OF_STOCK', sku };
    }
    const priced = merged.map((item) => ({ ...item, price: this.#take(item.sku, item.quantity).price }));
    const id = this.#orders.size + 1;
    const order: Order = { id, customer, enteredBy, status: 'open', createdAt: new Date(), items: priced };
    this.#orders.set(id, order);
    return order;
  }

  async listOrders(customer: string, limit: number): Promise<Order[]> {
    const found = [...this.#orders.values()].filter((order) => order.customer === customer);
    return found.toReversed().slice(0, limit);
  }

  async findOrder(id: number): Promise<Order | undefined> {
    return this.#orders.get(id);
  }

  async cancelOrder(id: number): Promise<Order | undefined> {
    const order = this.#orders.get(id);
    if (order?.status !== 'open') return undefined;
    for (const { sku, quantity } of order.items) this.#take(sku, -quantity);
    const cancelled: Order = { ...order, status: 'cancelled' };
    this.#orders.set(id, cancelled);
    return cancelled;
  }

  async close(): Promise<void> {}

  #take(sku: string, quantity: number): Product {
    const product = this.#products.get(sku)!;
    this.#products.set(sku, { ...product, stock: product.stock - quantity });
    return product;
  }
}
