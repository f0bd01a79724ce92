import { modules } from '../every-wire.ts';
import { runBehaviours } from '../run-behaviours.ts';
import { httpWireOf } from '../wires/http.ts';
import { startCommand } from '../kit/served.ts';

// What passes through the process that the user started is what `everywire serve` would send.
runBehaviours(httpWireOf((name) => startCommand('dev', modules[name])));
