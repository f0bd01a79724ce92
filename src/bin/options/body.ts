import { Option } from 'commander';
import type { Command } from 'commander';
import type { App } from '../../app/app.ts';
import { profileNames } from '../../responses/profiles/profile.ts';
import type { Profile, ProfileName } from '../../responses/profiles/profile.ts';

export interface BodyOptions {
  readonly json?: boolean;
  readonly profile?: ProfileName;
}

/** `--json` and `--profile`. */
export function withBody(command: Command): Command {
  return command
    .option('--json', 'print the exact body, as every other wire sends it')
    .addOption(new Option('--profile <name>', 'print the body in this profile').choices(profileNames));
}

interface BodyAsked {
  readonly profile: Profile;
  /** The body itself, even on a terminal. */
  readonly exact: boolean;
}

/** What body a caller wants. Whoever names a profile wants to see it. */
export function bodyWanted(app: App, { json = false, profile }: BodyOptions): BodyAsked {
  return { profile: profile ? app.profiles[profile] : app.profile, exact: json || profile !== undefined };
}

/** The same from flags that could not be read, for the sake of the error about them. */
export function bodyAsked(app: App, flags: readonly string[]): BodyAsked {
  const spelled = flags.flatMap((flag, i) =>
    flag === '--profile' ? [flags[i + 1]] : (flag.match(/^--profile=(.*)/)?.[1] ?? []),
  );
  const profile = profileNames.find((name) => name === spelled.at(-1));
  return bodyWanted(app, { json: flags.includes('--json'), ...(profile && { profile }) });
}
