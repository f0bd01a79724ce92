import { serve } from '@hono/node-server';
import { HttpTransport } from '@tmcp/transport-http';
import { tellParent } from '../tell-parent.mjs';
import { server } from '../tmcp.mjs';

const transport = new HttpTransport(server, { path: '/mcp' });
const fetch = async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 });

// It speaks Request and Response only; this is the fastest of the hosts that bring those to Node.
serve({ fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => tellParent(port));
