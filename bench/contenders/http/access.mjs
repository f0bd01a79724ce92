// The same function with and without access rules, in one process, and what callers must send.
import { serve } from 'everywire/node';
import { apps, headers } from '../access-apps.mjs';

const ports = {};
for (const [name, app] of Object.entries(apps)) {
  const { server } = await serve(app, { port: 0 });
  ports[name] = server.address().port;
}
// Its own account is finer than the kernel's, which counts in hundredths of a second.
process.on('message', () => process.send({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
process.send({ ports, headers });
