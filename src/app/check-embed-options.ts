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
    ...unknownOptions(environment, ENVIRONMENT, 'environment'),
    ...(cors === undefined ? [] : problemsInCors(cors)),
  ];
  if (hosts !== undefined && !Array.isArray(hosts)) problems.push('hosts must be a list of names');
  if (environment !== undefined && (typeof environment !== 'object' || environment === null))
    problems.push('environment must be an object with env and files');
  for (const [name, value] of Object.entries(environment?.env ?? {})) {
    if (typeof value !== 'string') problems.push(`environment.env.${name} must be a string`);
  }
  if (problems.length > 0) throw new TypeError(`${by}: ${problems.join('; ')}`);
}
