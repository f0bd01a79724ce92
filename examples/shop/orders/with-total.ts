import type { Order } from '../store/store.ts';

export function withTotal(order: Order) {
  const total = order.items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  return { ...order, items: [...order.items], total };
}
