import { REFUSED, SUMS } from './job.mjs';
import { runToEnd } from './run-to-end.mjs';

const SUM = SUMS.at(-1);

function request(args, env, body) {
  return runToEnd(args, {
    input: body,
    env: {
      ...env,
      GATEWAY_INTERFACE: 'CGI/1.1',
      REQUEST_METHOD: 'POST',
      PATH_INFO: '/Add',
      CONTENT_TYPE: 'application/json',
      CONTENT_LENGTH: String(Buffer.byteLength(body)),
    },
  });
}

/** Milliseconds of a request whose answer is right. */
export async function timedSum({ name, args, env }) {
  const { output, wall } = await request(args, env(), JSON.stringify(SUM));
  const isRight = output.startsWith('Status: 200 OK\r\n') && output.endsWith(`\r\n\r\n{"result":${SUM.x + SUM.y}}`);
  if (!isRight) throw new Error(`${name} answered ${JSON.stringify(SUM)} with ${output}`);
  return wall;
}

/** Throws unless a script does the whole job. Once is enough: each process is a new one, and each sum is looked at. */
export async function proveCgi(script) {
  await timedSum(script);
  for (const input of REFUSED) {
    const { output } = await request(script.args, script.env(), JSON.stringify(input));
    const isRight = output.startsWith('Status: 400 Bad Request\r\n');
    if (!isRight) throw new Error(`${script.name} answered ${JSON.stringify(input)} with ${output}`);
  }
}
