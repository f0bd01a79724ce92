// `everywire/wire`: for those who write a wire of their own. Nothing from node: is reachable from here.
export type { Answer, RequestedCall, Respond } from './app/respond.ts';
export type { Environment } from './core/context.ts';
export { wireFactsOf, refuse } from './core/failure.ts';
export { createEnvironment } from './env/environment.ts';
export { decodeJson } from './wires/json-body.ts';
