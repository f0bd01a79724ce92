import { toPrincipal } from '../core/principal.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import { unknownOptions } from '../core/unknown-options.ts';
import type { Known } from '../core/unknown-options.ts';
import type { App } from './app.ts';
import { problemsInCors } from './cors-options.ts';
import type { EmbedOptions } from './embed-options.ts';

const OPTIONS = {
  base: true,
  environment: true,
  hosts: true,
  cors: true,
  stateless: true,
  principal: true,
} satisfies Known<EmbedOptions>;
const ENVIRONMENT = { env: true, files: true } satisfies Known<EnvironmentOptions>;

/** Repeats the checks of TypeScript, for JavaScript users. `base` is checked by who parses it. */
export function checkEmbedOptions(options: EmbedOptions, by: string, app: Pick<App, 'access'>): void {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${by}: options must be an object`);
  const { environment, hosts, cors, principal } = options;
  const problems = [
    ...unknownOptions(options, OPTIONS),
    ...problemsInEnvironment(environment, 'environment'),
    ...(cors === undefined ? [] : problemsInCors(cors)),
  ];
  if (hosts !== undefined && !Array.isArray(hosts)) problems.push('hosts must be a list of names');
  if (principal !== undefined) problems.push(...problemsInPrincipal(principal, app));
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
  const wrong = Object.entries(environment.env ?? {}).filter(
    ([, value]) => typeof value !== 'string' && value !== undefined,
  );
  return [
    ...unknownOptions(environment, ENVIRONMENT, place),
    ...wrong.map(([name]) => `${prefix}env.${name} must be a string`),
  ];
}

/** Without access rules nobody would look at it. */
function problemsInPrincipal(principal: EmbedOptions['principal'], { access }: Pick<App, 'access'>): string[] {
  if (!access) return ['principal needs createApp({ access: { … } }), which says who may call what'];
  if (typeof principal === 'function') return [];
  try {
    toPrincipal(Object(principal) as never, 'server');
    return [];
  } catch (error) {
    return [`principal: ${(error as Error).message}`];
  }
}
