// One of the apps with and without access rules, and what callers must send.
import { serve } from 'everywire/node';
import { apps, headers } from '../access-apps.mjs';

const [, , name] = process.argv;
const { server } = await serve(apps[name](), { port: 0 });
// Its own account is finer than the kernel's, which counts in hundredths of a second.
process.on('message', () => process.send({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
process.send({ port: server.address().port, headers });
