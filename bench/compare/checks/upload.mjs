import { expect, expectEqual } from './expect.mjs';
import { ask, withServer } from './with-server.mjs';

// Larger than what is usually kept of a body without notice.
const PICTURE = new File([new Uint8Array(300_000)], 'tea.png', { type: 'image/png' });

export function checkUpload(way) {
  return withServer(way, async (server) => {
    const right = await ask(server, post(way, { product: 'tea', picture: PICTURE }));
    expectEqual(right.status, 200, 'the status');
    expectEqual(way.unwrap(JSON.parse(right.text)), { name: 'tea.png', size: PICTURE.size }, 'the result');
    for (const picture of [undefined, new File(['text'], 'tea.txt', { type: 'text/plain' })]) {
      const { status, text } = await ask(server, post(way, { product: 'tea', picture }));
      expect(status >= 400 && status < 500, `${picture?.name ?? 'no file'} was answered with ${status} ${text}`);
    }
  });
}

function post({ path }, fields) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.set(name, value);
  return [path, { method: 'POST', body }];
}
