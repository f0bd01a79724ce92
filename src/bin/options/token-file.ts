import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import type { Credentials } from '../../core/credentials.ts';
import type { Process } from '../process.ts';
import { takeToken, toCredentials } from '../token.ts';

/** The value of `--token-file`. */
export interface TokenFlags {
  readonly tokenFile?: GivenToken | undefined;
}

/** An object that shows nothing, so that no message about options contains the token. */
class GivenToken {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  read(): string {
    return this.#token;
  }
}

/** A token among the arguments would be seen by everybody who lists processes, so there is only the name of a file. */
export function withToken(proc: Process, command: Command, { tokenFile }: TokenFlags = {}): Command {
  return command
    .option('--token-file <file>', 'the token or API key to call with; or set EVERYWIRE_TOKEN', (file) =>
      readToken(proc, file),
    )
    .setOptionValueWithSource('tokenFile', tokenFile, tokenFile && 'cli');
}

/** What was typed, and not taken from the settings. */
export function typedToken(command: Command): TokenFlags {
  return command.getOptionValueSource('tokenFile') === 'cli' ? command.opts<TokenFlags>() : {};
}

/** Who calls: what was typed wins over EVERYWIRE_TOKEN, and that over a file from the settings. */
export function tokenOf(proc: Process, command: Command): string | undefined {
  const { tokenFile } = command.opts<TokenFlags>();
  const token = takeToken(proc);
  const isFromFile = typedToken(command).tokenFile !== undefined || token === undefined;
  if (tokenFile || token !== undefined) proc.state.credentialFrom = isFromFile ? 'the token file' : 'EVERYWIRE_TOKEN';
  return isFromFile ? tokenFile?.read() : token;
}

export function credentialsOf(proc: Process, command: Command): Credentials | undefined {
  return toCredentials(tokenOf(proc, command));
}

export function readToken(proc: Process, file: string): GivenToken {
  try {
    return new GivenToken(readFileSync(proc.resolve(file), 'utf8').trim());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidArgumentError(code === 'ENOENT' ? `no such file: ${file}` : `${file} cannot be read (${code})`);
  }
}
