/** What everywire promises, as data. A promise that nothing proves fails the run (surface/promises.test.ts). */
export const promises = {
  'name.operation-id': 'The operationId is functions.<name>, or what the author gives.',
  'name.portable': 'Under the portable policy the operationId is functions_<name>.',
  'name.alias': "A call under the other policy's name resolves.",
  'name.path': 'The HTTP path is /functions/<name>, whatever the operationId.',
  'build.all-at-once': 'Every mistake in an app is reported in one message when it is built.',
  'build.collisions': 'Two functions that share any name are refused, with both places.',
  'build.descriptions': 'A missing description of a function, a parameter or an output is refused.',
  'build.object-root': 'An input schema that is not an object at the root is refused.',
  'build.libraries': 'Schemas of zod, valibot, arktype and plain JSON Schema are served alike.',
  'build.frozen': 'A definition is plain frozen data.',

  'body.one': 'One value is answered as {"result":v}.',
  'body.several': 'Several values are answered as {"result0":…,"result1":…}.',
  'body.none': 'No value is answered as {}.',
  'body.error': 'A failure is answered as {"error":"<message>"} and no other key.',
  'body.same-bytes': 'The same call gives the same bytes on every wire.',

  'failure.author': "An author's failure keeps its code; its status is its own, 422 unless declared.",
  'failure.returned': 'A failure may be returned as well as thrown.',
  'failure.any-throw': 'Whatever is thrown becomes a failure; nothing escapes.',
  'failure.no-leak': 'An unexpected error never shows a stack, a path or a cause.',
  'failure.masked': 'Masked errors show a fixed sentence and an id that is in the log.',
  'failure.timeout': 'A call that takes too long ends as TIMEOUT.',
  'failure.cancelled': 'A call whose caller leaves ends as CANCELLED, and its signal fires.',
  'failure.codes': 'Codes, their documentation and their use agree.',
  'failure.overload': 'Calls beyond the limit wait, and beyond that are refused with a time to retry.',

  'output.checked': 'A value that breaks its output schema is INVALID_OUTPUT.',
  'output.carried': 'A value that JSON cannot carry is INVALID_OUTPUT, never silently null.',
  'output.forms': 'Dates, BigInt and bytes travel in a declared form.',

  'input.checked-first': "Nothing of the author's runs before the arguments are known to be right.",
  'input.all-problems': 'Every problem is reported at once, with JSON pointers.',
  'input.text-to-number': 'Text that is a number becomes one where the schema wants it, if nothing is lost.',
  'input.text-to-boolean': '"true", "false", "1" and "0" become booleans where the schema wants them.',
  'input.text-to-json': 'Text that holds JSON becomes an object or array where the schema wants it.',
  'input.null-dropped': 'null is taken as absent for optional fields that are not nullable.',
  'input.absent': 'Absent arguments and a zero-length body are {}.',
  'input.accepted-untouched': 'What the schema accepts as it came is never touched.',
  'input.no-loss': 'Nothing is truncated, rounded or filled in: 1.9 is no integer.',
  'input.unknown-dropped': 'Unknown arguments are dropped, and shown in the trace.',
  'input.unknown-strict': 'Under strict, unknown arguments are refused.',
  'input.suggestion': 'A missing field beside an unknown one that resembles it: the message says so.',
  'input.coerce-off': 'coerce: false turns repair off.',
  'input.prototype': '__proto__, constructor and prototype are data or an error, never a prototype.',
  'input.bounded': 'Depth and size are bounded.',
  'input.unicode': 'Text that is not Unicode is refused.',
  'input.json': 'A body that is not JSON is refused as Invalid JSON body.',
  'input.object': 'A body that is JSON but no object is refused.',

  'function.not-found': 'An unknown function is answered as Function not found: <name>.',
  'middleware.order': 'Middleware runs around a call, in order, and what it answers is checked.',

  'http.json-errors': 'Every error the process can answer is JSON.',
  'http.health': '/healthz and /readyz answer.',
  'http.method': 'A wrong method is 405, with Allow.',
  'http.media-type': 'A wrong media type is 415; none is taken as JSON.',
  'http.limits': 'A body over the limit is 413, headers over the limit 431.',
  'http.host-origin': 'A foreign Host or Origin is refused.',
  'http.drain': 'On SIGTERM calls under way are finished, and new ones refused.',
  'http.keep-alive': 'Connections are kept for further requests, also after an error.',
  'http.loopback': 'It listens on this machine only, unless told otherwise.',
  'http.fetch': 'app.fetch answers Request with Response, without Node.',

  'openapi.document': 'GET /openapi.json describes every function, with error responses.',
  'openapi.old': '?version=3.0 gives the document for older tools.',
  'openapi.deterministic': 'The same app gives the same bytes, with an ETag.',
  'openapi.lint': "The document passes Redocly's recommended rules without warnings.",
  'openapi.client': 'A generated TypeScript client compiles and calls the server.',

  'cli.flags': 'Flags come from the schema: numbers, switches, enums, lists, nested objects.',
  'cli.input': '--input takes JSON, and - reads it from stdin.',
  'cli.exact': 'With --json, or into a pipe, stdout carries the exact body and nothing else.',
  'cli.readable': 'On a terminal the answer is readable.',
  'cli.help': 'Help starts with the banner and shows every parameter and an example.',
  'cli.suggests': 'A mistyped function or flag is refused with a suggestion.',
  'cli.exit': 'Exit codes are those of the table.',
  'cli.completion': 'Completion works in bash, zsh and fish.',
  'cli.environment': '--env and --mount parse on every command.',
  'cli.typescript': 'A TypeScript module runs as it is.',
} as const;

export type PromiseId = keyof typeof promises;

/** The title of a test that proves a promise outside the behaviours. */
export function proves(id: PromiseId, title: string): string {
  return `${title} [${id}]`;
}
