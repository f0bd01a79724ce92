import type { Call } from '../core/call.ts';
import { success } from '../core/outcome.ts';
import type { Outcome } from '../core/outcome.ts';
import { toPrincipal } from '../core/principal.ts';
import type { PrincipalOptions } from '../core/principal.ts';
import type { Registry } from '../core/registry.ts';
import { createEnvironment } from '../env/environment.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import { toJson } from '../schema/to-json.ts';
import { THIS_PROCESS } from './respond.ts';
import type { Respond } from './respond.ts';

/** Calls a function for a caller in this process: a program, or another function. */
export type CallHere = (name: string, input: unknown, options?: CallHereOptions) => Promise<Outcome>;

type CallHereOptions = EnvironmentOptions &
  Partial<Omit<Call, 'principal'>> & { readonly principal?: PrincipalOptions | undefined };

/** `depth` is how deep an input may be. */
export function createCallHere(registry: Registry, respond: Respond, depth: number): CallHere {
  return async (name, input, options) => {
    const fn = registry.find(name);
    const { outcome } = await respond({
      caller: THIS_PROCESS,
      ...(options && withEnvironment(options)),
      name,
      fn,
      input: fn?.hasWireForms ? toWire(input, depth, fn.takesFiles) : input,
      takesFile: fn?.returnsFile && 'memory',
    });
    return outcome.ok && fn?.revive && !outcome.task ? success(fn.revive(outcome.data), outcome.content) : outcome;
  };
}

function withEnvironment({ env, files, principal, ...rest }: CallHereOptions) {
  const call: Partial<Call> = principal ? { ...rest, principal: toPrincipal(principal, 'local') } : rest;
  return env || files ? { ...call, environment: createEnvironment({ env, files }) } : call;
}

/** Callers in this process may pass a Date; the pipeline expects its wire form. */
function toWire(input: unknown, depth: number, keepsFiles: boolean): unknown {
  const json = toJson(input, depth, keepsFiles);
  return json.problem ? input : json.value;
}
