import type { CgiVariables } from '../../wires/cgi/wire.ts';

/**
 * The arguments of a command that a web server runs. Some servers (Apache) hand the words of a query without `=` to the
 * script as arguments (RFC 3875, 4.4): those are a stranger's, and must not start a server or mount a folder. They cannot
 * be told from the operator's for certain, since the server may cut them at a NUL, or after so many. So they are ignored
 * only where they are all there is; beside anything else such a query is refused: undefined.
 */
export function argumentsUnderCgi(args: readonly string[], variables: CgiVariables): readonly string[] | undefined {
  if (!variables['GATEWAY_INTERFACE']) return args;
  if (args.length === 0) return ['cgi'];
  const { QUERY_STRING: query = '' } = variables;
  if (query === '' || query.includes('=')) return args;
  const words = query.split('+').map(decoded);
  const areAll = words.length === args.length && words.every((word, i) => bare(word) === bare(args[i]!));
  return areAll && bare(args[0]!) !== 'cgi' ? ['cgi'] : undefined;
}

/** Whatever bytes it stands for, as Node would read them from the command line. */
function decoded(word: string): string {
  const bytes = word.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** Servers put a backslash before what a shell would take for something else. */
const bare = (text: string) => text.replaceAll('\\', '');
