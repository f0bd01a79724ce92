import { refuse } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import { decodeJson } from '../json-body.ts';
import type { HttpHeaders, HttpRequest } from './message.ts';

/** The arguments in a request's body: undefined when it is empty. */
export function decodeArguments({ headers, body }: HttpRequest, depth: number): { readonly input: unknown } | Failed {
  const encoded = refuseEncoded(headers);
  if (encoded) return encoded;
  const type = headers['content-type'];
  if (type !== undefined && type !== 'application/json' && !isJson(String(type))) {
    return refuse('UNSUPPORTED_MEDIA_TYPE', `Unsupported media type: ${String(type)} (send application/json in UTF-8)`);
  }
  return decodeJson(body, depth);
}

/** Refuses compressed bodies: a small one can decompress to a thousand times its size. */
export function refuseEncoded(headers: HttpHeaders): Failed | undefined {
  const encoding = headers['content-encoding'];
  if (encoding === undefined) return undefined;
  const names = String(encoding).split(',');
  if (names.every((name) => /^\s*(?:identity)?\s*$/i.test(name))) return undefined;
  return refuse(
    'UNSUPPORTED_MEDIA_TYPE',
    `Unsupported content encoding: ${String(encoding)} (send the body uncompressed)`,
  );
}

/** An empty type means JSON. Parameters other than charset are ignored. */
function isJson(header: string): boolean {
  const [type = '', ...parameters] = header
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  return (type === '' || /^application\/(?:[\w.-]+\+)?json$/.test(type)) && !parameters.some(isForeignCharset);
}

function isForeignCharset(parameter: string): boolean {
  return parameter.startsWith('charset') && !/^charset="?utf-?8"?$/.test(parameter);
}
