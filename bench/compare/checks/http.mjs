import { expect, expectEqual } from './expect.mjs';
import { ask, withServer } from './with-server.mjs';

export function checkHttp(way) {
  return withServer(way, async (server) => {
    const right = await ask(server, way.request({ product: 'tea', quantity: 3 }));
    expectEqual(right.status, 200, 'the status');
    expectEqual(way.unwrap(JSON.parse(right.text)), { total: 750 }, 'the result');
    for (const wrong of [
      { product: 'tea', quantity: 0 },
      { product: 'tea', quantity: 1.5 },
      { product: 'car', quantity: 1 },
      {},
    ]) {
      const { status, text } = await ask(server, way.request(wrong));
      expect(status >= 400 && status < 500, `${JSON.stringify(wrong)} was answered with ${status} ${text}`);
    }
  });
}
