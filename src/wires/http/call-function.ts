import type { App } from '../../app/app.ts';
import { callerOf } from './caller.ts';
import { decodeArguments } from './decode-arguments.ts';
import type { Encoder } from './encode.ts';
import { notAcceptable } from './refusals.ts';
import type { Handler } from './router.ts';
import type { HttpWireOptions } from './wire.ts';

/** `POST /functions/<name>`: decode, call, encode. */
export function createCallFunction(
  app: App,
  { environment, name: wire }: Pick<HttpWireOptions, 'environment' | 'name'>,
  { choose, offered, encode, encodeFailure }: Encoder,
): Handler {
  return (request, query, { parameter: name, fn }) => {
    const profile = choose(query, request.headers);
    if (!profile) return encodeFailure(notAcceptable(offered), app.profile);
    const decoded = decodeArguments(request, app.limits.depth);
    const answered = app.respond(
      {
        name,
        fn,
        input: 'ok' in decoded ? undefined : decoded.input,
        refused: 'ok' in decoded ? decoded : undefined,
        caller: callerOf(request.headers, wire),
        environment,
        onDisconnect: request.onDisconnect,
      },
      profile,
    );
    return answered instanceof Promise ? answered.then((late) => encode(late, profile)) : encode(answered, profile);
  };
}
