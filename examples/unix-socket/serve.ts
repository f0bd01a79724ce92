// npx jiti examples/unix-socket/serve.ts examples/calculator/app.ts calculator.sock
import { loadApp } from 'everywire/node';
import { createLineServer } from './wire.ts';

const [module = '', path = ''] = process.argv.slice(2);
const server = createLineServer(await loadApp(module));
server.listen(path, () => console.error(`Listening on ${path}`));
// Removes the socket, and ends once the last client has disconnected.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close());
