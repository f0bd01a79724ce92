import type { CgiVariables } from '../../wires/cgi/wire.ts';

/**
 * The arguments of a command that a web server runs. Some servers (Apache) pass the words of a query without `=` as arguments
 * (RFC 3875, 4.4). They come from the client, and must not start a server or mount a folder. They cannot be told apart from
 * the operator's arguments reliably, since the server may truncate them. So they are ignored if there are no others;
 * otherwise such a query is refused: undefined.
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

/** Decodes percent-encoding into the string that Node makes of the same bytes on the command line. */
function decoded(word: string): string {
  const bytes = word.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** Servers escape characters that are special in a shell with a backslash. */
const bare = (text: string) => text.replaceAll('\\', '');
