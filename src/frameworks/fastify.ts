import type { FastifyPluginCallback } from 'fastify';
import { STALE_HEADERS, createInspector, isInspected } from './inspector.ts';
import type { CheckResponsesOptions } from './inspector.ts';

export type { CheckResponsesOptions, ResponseReport } from './inspector.ts';

/** A plugin for Fastify that checks every response before it is sent: `app.register(checkResponses(options))`. */
export function checkResponses(options: CheckResponsesOptions = {}): FastifyPluginCallback {
  const inspect = createInspector(options);

  const plugin: FastifyPluginCallback = (fastify, _options, done) => {
    fastify.addHook('onSend', (request, reply, payload: unknown, next) => {
      const text = payload instanceof Uint8Array ? Buffer.from(payload).toString() : payload;
      const facts = {
        method: request.method,
        status: reply.statusCode,
        type: reply.getHeader('content-type'),
        encoding: reply.getHeader('content-encoding'),
      };
      // Streams are not checked.
      const replacement =
        typeof text === 'string' && text !== '' && isInspected(facts)
          ? inspect(text, request, reply.statusCode)
          : undefined;
      if (!replacement) return next(null, payload);
      if (replacement.failure) void reply.code(replacement.failure.status).headers(replacement.failure.headers);
      for (const name of STALE_HEADERS) reply.removeHeader(name);
      next(null, replacement.body);
    });
    done();
  };
  // Without this, Fastify would apply the hook only to routes inside the plugin.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true });
}
