import { suggest } from '../schema/suggest.ts';
import type { EmbedOptions } from './embed-options.ts';

const OPTIONS = ['base', 'environment', 'hosts', 'stateless'] satisfies (keyof EmbedOptions)[];
const ENVIRONMENT = ['env', 'files'] satisfies (keyof NonNullable<EmbedOptions['environment']>)[];

/** Repeats the checks of TypeScript, for JavaScript users. `base` is checked by who parses it. */
export function checkEmbedOptions(options: EmbedOptions, by: string): void {
  refuseUnknown(options, OPTIONS, by);
  const { environment, hosts } = options;
  if (hosts !== undefined && !Array.isArray(hosts)) throw new TypeError(`${by}: hosts must be a list of names`);
  if (environment === undefined) return;
  refuseUnknown(environment, ENVIRONMENT, `${by}: environment`);
  for (const [name, value] of Object.entries(environment.env ?? {})) {
    if (typeof value !== 'string') throw new TypeError(`${by}: environment.env.${name} must be a string`);
  }
}

function refuseUnknown(options: unknown, known: readonly string[], by: string): void {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${by}: options must be an object`);
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const meant = suggest(name, known);
    const hint = meant ? `did you mean "${meant}"?` : `available: ${known.join(', ')}`;
    throw new TypeError(`${by} has no option "${name}" (${hint})`);
  }
}
