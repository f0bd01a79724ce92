import type { App } from '../../app/app.ts';
import { profileNames } from '../../responses/profiles/profile.ts';
import type { Profile, ProfileName } from '../../responses/profiles/profile.ts';
import type { Format, FormatName } from './formats.ts';

/** The values of `--json`, `--profile` and `--format`. */
export interface BodyOptions {
  readonly json?: boolean;
  readonly profile?: ProfileName;
  readonly format?: FormatName;
}

export interface RequestedBody {
  readonly profile: Profile;
  /** Print the body itself, even on a terminal. */
  readonly isExact: boolean;
  /** Set if a failure of the command itself must not be printed on stdout. */
  readonly format?: Format;
}

/** Naming a profile implies the exact body. */
export function requestedBody(app: App, { json = false, profile }: BodyOptions): RequestedBody {
  return { profile: profile ? app.profiles[profile] : app.profile, isExact: json || profile !== undefined };
}

/** The same from flags that could not be parsed, to render the error about them. */
export function requestedBodyIn(app: App, flags: readonly string[]): RequestedBody {
  const values = flags.flatMap((flag, i) =>
    flag === '--profile' ? [flags[i + 1]] : (flag.match(/^--profile=(.*)/)?.[1] ?? []),
  );
  const profile = profileNames.find((name) => name === values.at(-1));
  const body = requestedBody(app, { json: flags.includes('--json'), ...(profile && { profile }) });
  return flags.some((flag) => /^--format(?:=|$)/.test(flag)) ? { ...body, format: () => '' } : body;
}
