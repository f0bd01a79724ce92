import { literal } from './literal.ts';
import { quoted } from './shell.ts';

// The server's own `--config`, `--env`, `--env-file` and `--mount`, for commands to copy. A variable is only named, since its value
// may be a secret: whoever runs the command has it in the environment.

type Flags = readonly string[] | undefined;

/** In pairs, without the values of variables. */
const pairsOf = (flags: Flags = []) =>
  flags.flatMap((flag, i): (readonly [string, string])[] => {
    const value = flags[i + 1] ?? '';
    if (i % 2 === 1) return [];
    return [[flag, flag === '--env' ? value.split('=', 1)[0]! : value]];
  });

/** As words of a command, each after a space. */
export const flagWords = (flags: Flags): string =>
  pairsOf(flags)
    .map(([flag, value]) => ` ${flag} ${quoted(value)}`)
    .join('');

/** As options of `app.call`, and what they import. A configuration file is one of commands, and has no place here. */
export function flagOptions(flags: Flags): {
  readonly imports: readonly string[];
  readonly options: readonly string[];
} {
  const pairs = pairsOf(flags);
  const valuesOf = (name: string) => pairs.filter(([flag]) => flag === name).map(([, value]) => value);
  const variables = pairs.flatMap(([flag, value]) => {
    if (flag === '--env-file')
      return [`...(parseEnv(readFileSync(${literal(value)}, 'utf8')) as Record<string, string>)`];
    return flag === '--env' ? [`${literal(value)}: process.env[${literal(value)}]!`] : [];
  });
  const mounts = valuesOf('--mount').map(mountOf);
  return {
    imports: [
      ...(valuesOf('--env-file').length > 0
        ? [`import { readFileSync } from 'node:fs';`, `import { parseEnv } from 'node:util';`]
        : []),
      ...(mounts.length > 0
        ? [`import { createFiles } from 'everywire';`, `import { hostFolder } from 'everywire/node';`]
        : []),
    ],
    options: [
      ...(variables.length > 0 ? [`env: { ${variables.join(', ')} }`] : []),
      ...(mounts.length > 0 ? [`files: createFiles([${mounts.join(', ')}])`] : []),
    ],
  };
}

const UNITS: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** `HOST:VIRTUAL[:ro,max=10M,max-file=1M]` as a mount of `createFiles`. */
function mountOf(text: string): string {
  const at = text.lastIndexOf(':/');
  const [virtual = '', rest = ''] = text.slice(at + 1).split(':');
  const options = rest.split(',').flatMap((option) => {
    if (option === 'ro') return ['readOnly: true'];
    const [, name, digits, unit = ''] = /^(max|max-file)=(\d+)([KMG]?)$/i.exec(option) ?? [];
    if (name === undefined) return [];
    return [`${name === 'max' ? 'maxBytes' : 'maxFileBytes'}: ${Number(digits) * (UNITS[unit.toUpperCase()] ?? 1)}`];
  });
  const folder = `folder: hostFolder(${literal(text.slice(0, at))})`;
  return `{ ${[`at: ${literal(virtual)}`, folder, ...options].join(', ')} }`;
}
