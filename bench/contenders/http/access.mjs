// The same function with and without access rules, in one server, and what callers must send.
import { createServer } from 'everywire/node';
import { apps, headers } from '../access-apps.mjs';

const paths = { '/none': apps.none, '/public': apps.public, '/rules': apps.rules };
const { server } = await createServer(paths, { port: 0 });
// Its own account is finer than the kernel's, which counts in hundredths of a second.
process.on('message', () => process.send({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
process.send({ port: server.address().port, headers });
