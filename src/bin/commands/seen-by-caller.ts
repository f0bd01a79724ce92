import type { App } from '../../app/app.ts';
import { visibleTo } from '../../app/visible-to.ts';
import type { Credentials } from '../../core/credentials.ts';
import { ANONYMOUS } from '../../core/principal.ts';
import { CLI } from '../../wires/cli/decode.ts';
import { readToken } from '../options/token-file.ts';
import type { TokenFlags } from '../options/token-file.ts';
import type { Process } from '../process.ts';
import { takeToken, toCredentials } from '../token.ts';

/** The app with the functions that help, completion and calls know. With wrong credentials, these are the public ones. */
export async function seenByCaller(proc: Process, app: App, credentials = presentedIn(proc, [])): Promise<App> {
  if (!app.access?.hides) return app;
  const found = await app.access.identify({ caller: CLI, credentials });
  return visibleTo(app, 'ok' in found ? ANONYMOUS : found);
}

/** What a command presents, before its options are parsed: which function is called may depend on it. */
export function presentedIn(proc: Process, args: readonly string[], earlier: TokenFlags = {}): Credentials | undefined {
  const typed = typedFile(proc, args) ?? earlier.tokenFile;
  const inVariable = takeToken(proc);
  const file = typed ?? (inVariable === undefined ? settingsFile(proc) : undefined);
  if (file || inVariable !== undefined) proc.state.credentialFrom = file ? 'the token file' : 'EVERYWIRE_TOKEN';
  return toCredentials(file ? file.read() : inVariable);
}

function typedFile(proc: Process, args: readonly string[]): TokenFlags['tokenFile'] {
  const at = args.findLastIndex((arg) => arg === '--token-file' || arg.startsWith('--token-file='));
  const file = at === -1 ? undefined : args[at]!.split('=').slice(1).join('=') || args[at + 1];
  return file === undefined ? undefined : tryRead(proc, file);
}

function settingsFile(proc: Process): TokenFlags['tokenFile'] {
  const file = proc.env['EVERYWIRE_TOKEN_FILE'];
  return file ? tryRead(proc, file) : undefined;
}

/** A file that cannot be read is reported when the options are parsed. */
function tryRead(proc: Process, file: string): TokenFlags['tokenFile'] {
  try {
    return readToken(proc, file);
  } catch {
    return undefined;
  }
}
