import { once } from 'node:events';
import { createServer } from 'node:net';
import { server } from '../fastmcp.mjs';
import { tellParent } from '../tell-parent.mjs';

// It does not say which port it was given, so it is given one that was free a moment ago.
const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
probe.close();
await once(probe, 'close');

await server.start({
  transportType: 'httpStream',
  httpStream: { host: '127.0.0.1', port, stateless: true, enableJsonResponse: true },
});
tellParent(port);
