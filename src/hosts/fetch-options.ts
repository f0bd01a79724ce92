import type { App } from '../app/app.ts';
import { checkEmbedOptions } from '../app/check-embed-options.ts';
import type { EmbedOptions } from '../app/embed-options.ts';

const NONE: EmbedOptions = {};

/**
 * The options in the arguments after the request. Runtimes call the handlers that a program exports, and then the arguments
 * are theirs: Bun passes its server, Deno the connection, and workers pass their bindings and a context.
 */
export function fetchOptions(given: unknown, context: readonly unknown[], app: App): EmbedOptions<Request> {
  if (context.length > 0) return isWorker(context[0]) && isObject(given) ? workerOptions(given) : NONE;
  if (given === undefined || isRuntimeInfo(given)) return NONE;
  checkEmbedOptions(given as EmbedOptions, 'app.fetch', app);
  return given as EmbedOptions;
}

/** Where a request comes from, if the runtime says so: Bun's server or Deno's connection. */
export function addressOf(request: Request, given: unknown): string | undefined {
  if (!isObject(given)) return undefined;
  const { requestIP, remoteAddr } = given as { requestIP?: unknown; remoteAddr?: { hostname?: unknown } };
  const address: unknown =
    typeof requestIP === 'function'
      ? (requestIP.call(given, request) as { address?: unknown } | null)?.address
      : remoteAddr?.hostname;
  return typeof address === 'string' ? address : undefined;
}

function isRuntimeInfo(given: unknown): boolean {
  return isObject(given) && ('requestIP' in given || 'remoteAddr' in given);
}

function isObject(given: unknown): given is object {
  return typeof given === 'object' && given !== null;
}

function isWorker(context: unknown): boolean {
  return typeof (context as { waitUntil?: unknown } | undefined)?.waitUntil === 'function';
}

const ofBindings = new WeakMap<object, EmbedOptions>();

/** Bindings that are strings become variables. The next request may reach another isolate, so nothing is kept. */
function workerOptions(bindings: object): EmbedOptions {
  let options = ofBindings.get(bindings);
  if (options) return options;
  const variables = Object.entries(bindings).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  options = { environment: { env: Object.fromEntries(variables) }, stateless: true };
  ofBindings.set(bindings, options);
  return options;
}
