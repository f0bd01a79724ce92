// The app inside a server of node:http, as docs/apps.md shows it.
import { createServer } from 'node:http';
import { loadApp, toNodeHandler } from 'everywire/node';

const app = await loadApp(new URL('./app.ts', import.meta.url));
const { NOTES, START, START_MS } = process.env;
const env = { NOTES, ...(START && { START }), ...(START_MS && { START_MS }) };
const handler = toNodeHandler(app, { environment: { env } });
const server = createServer(handler).listen(0, '127.0.0.1', () => {
  console.error(`http://127.0.0.1:${server.address().port}/functions`);
});

for (const signal of ['SIGTERM', 'SIGINT']) {
  process.once(signal, async () => {
    await handler.close();
    server.close(async () => {
      process.exitCode = (await app.close()) ? 0 : 1;
    });
  });
}
