import type { CgiVariables } from '../wires/cgi.ts';

/**
 * The arguments of an app that a web server runs as it is. Some servers (Apache) hand the words of a query without `=`
 * to the script as arguments (RFC 3875, 4.4): those are a stranger's, and must not start a server or mount a folder.
 * What is left is the operator's; usually nothing, and the app is a CGI script.
 */
export function argumentsUnderCgi(args: readonly string[], variables: CgiVariables): readonly string[] {
  const words = searchWords(variables);
  const own = words.length > 0 && endsWith(args, words) ? args.slice(0, -words.length) : args;
  return own.length > 0 ? own : ['cgi'];
}

function searchWords({ QUERY_STRING = '' }: CgiVariables): string[] {
  return QUERY_STRING === '' || QUERY_STRING.includes('=') ? [] : QUERY_STRING.split('+').map(decoded);
}

/** Whatever bytes it stands for, as Node would read them from the command line. */
function decoded(word: string): string {
  const bytes = word.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** Servers put a backslash before what a shell would take for something else. */
function endsWith(args: readonly string[], words: readonly string[]): boolean {
  return args.length >= words.length && words.every((word, i) => bare(word) === bare(args.at(i - words.length)!));
}

const bare = (text: string) => text.replaceAll('\\', '');
