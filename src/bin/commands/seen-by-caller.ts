import type { App } from '../../app/app.ts';
import { visibleTo } from '../../app/visible-to.ts';
import type { Credentials } from '../../core/credentials.ts';
import { ANONYMOUS } from '../../core/principal.ts';
import { CLI } from '../../wires/cli/decode.ts';
import { readToken } from '../options/token-file.ts';
import type { TokenFlags } from '../options/token-file.ts';
import { takeToken, toCredentials } from '../token.ts';

/** The app with the functions that help, completion and calls know. With wrong credentials, these are the public ones. */
export async function seenByCaller(app: App, credentials = presentedIn([])): Promise<App> {
  if (!app.access?.hides) return app;
  const found = await app.access.identify({ caller: CLI, credentials });
  return visibleTo(app, 'ok' in found ? ANONYMOUS : found);
}

/** What a command presents, before its options are parsed: which function is called may depend on it. */
export function presentedIn(args: readonly string[], earlier: TokenFlags = {}): Credentials | undefined {
  const typed = typedFile(args) ?? earlier.tokenFile;
  return toCredentials(typed?.read() ?? takeToken() ?? settingsFile()?.read());
}

function typedFile(args: readonly string[]): TokenFlags['tokenFile'] {
  const at = args.findLastIndex((arg) => arg === '--token-file' || arg.startsWith('--token-file='));
  const file = at === -1 ? undefined : args[at]!.split('=').slice(1).join('=') || args[at + 1];
  return file === undefined ? undefined : tryRead(file);
}

function settingsFile(): TokenFlags['tokenFile'] {
  const file = process.env['EVERYWIRE_TOKEN_FILE'];
  return file ? tryRead(file) : undefined;
}

/** A file that cannot be read is reported when the options are parsed. */
function tryRead(file: string): TokenFlags['tokenFile'] {
  try {
    return readToken(file);
  } catch {
    return undefined;
  }
}
