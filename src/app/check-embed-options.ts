import type { EnvironmentOptions } from '../env/environment.ts';
import { unknownOptions } from '../core/unknown-options.ts';
import type { Known } from '../core/unknown-options.ts';
import { problemsInCors } from './cors-options.ts';
import type { EmbedOptions } from './embed-options.ts';

const OPTIONS = {
  base: true,
  environment: true,
  hosts: true,
  cors: true,
  stateless: true,
} satisfies Known<EmbedOptions>;
const ENVIRONMENT = { env: true, files: true } satisfies Known<EnvironmentOptions>;

/** Repeats the checks of TypeScript, for JavaScript users. `base` is checked by who parses it. */
export function checkEmbedOptions(options: EmbedOptions, by: string): void {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${by}: options must be an object`);
  const { environment, hosts, cors } = options;
  const problems = [
    ...unknownOptions(options, OPTIONS),
    ...problemsInEnvironment(environment, 'environment'),
    ...(cors === undefined ? [] : problemsInCors(cors)),
  ];
  if (hosts !== undefined && !Array.isArray(hosts)) problems.push('hosts must be a list of names');
  if (problems.length > 0) throw new TypeError(`${by}: ${problems.join('; ')}`);
}

/** The same for the environment alone. */
export function checkEnvironment(environment: EnvironmentOptions, by: string): void {
  const problems = problemsInEnvironment(environment);
  if (problems.length > 0) throw new TypeError(`${by}: ${problems.join('; ')}`);
}

function problemsInEnvironment(environment: EnvironmentOptions | undefined, place?: string): string[] {
  if (environment === undefined) return [];
  if (typeof environment !== 'object' || environment === null)
    return [`${place ?? 'the environment'} must be an object with env and files`];
  const prefix = place === undefined ? '' : `${place}.`;
  const wrong = Object.entries(environment.env ?? {}).filter(([, value]) => typeof value !== 'string');
  return [
    ...unknownOptions(environment, ENVIRONMENT, place),
    ...wrong.map(([name]) => `${prefix}env.${name} must be a string`),
  ];
}
