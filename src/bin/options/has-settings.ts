import type { Process } from '../process.ts';

/** The environment variables of the options that `cgi` and `mcp` have. */
const VARIABLES = [
  'EVERYWIRE_ENV',
  'EVERYWIRE_ENV_FILE',
  'EVERYWIRE_MOUNT',
  'EVERYWIRE_VERBOSE',
  'EVERYWIRE_ALLOW_HOST',
  'EVERYWIRE_ALLOW_ORIGIN',
  'EVERYWIRE_NAMES',
  'EVERYWIRE_TOKEN_FILE',
  'EVERYWIRE_STORE',
  'EVERYWIRE_CONFIG',
];

/** Whether the environment sets options, so that an option parser is needed though none was typed. */
export function hasSettings({ env }: Process): boolean {
  return VARIABLES.some((name) => env[name]);
}
