import { BlockList, isIP } from 'node:net';
import type { HttpHeaders } from '../wires/http/message.ts';

/** The proxies in front of a server whose word counts: about who the client is, and how it connected. */
export interface TrustedProxies {
  /** The address of the client, if the request came through trusted proxies; otherwise that of the peer. */
  addressOf(headers: HttpHeaders, peer: string | undefined): string | undefined;
  schemeOf(headers: HttpHeaders, peer: string | undefined, own: Scheme): Scheme;
}

type Scheme = 'http' | 'https';

/** Throws a TypeError for anything but addresses and ranges such as `10.0.0.0/8`. */
export function createTrustedProxies(trusted: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const text of trusted) add(list, text);
  const isTrusted = (address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return {
    addressOf(headers, given) {
      const peer = given === undefined ? undefined : plainAddress(given);
      if (peer === undefined || isIP(peer) === 0 || !isTrusted(peer)) return peer;
      return agreed(chainsIn(headers).map((chain) => clientIn(chain, peer))) ?? peer;
    },
    schemeOf(headers, given, own) {
      const peer = given === undefined ? undefined : plainAddress(given);
      if (peer === undefined || isIP(peer) === 0 || !isTrusted(peer)) return own;
      const scheme = agreed(chainsIn(headers, 'proto').map((chain) => chain.at(-1)?.toLowerCase()));
      return scheme === 'http' || scheme === 'https' ? scheme : own;
    },
  };

  /** From the nearest hop on: the first that is not a proxy of ours. What comes before it is the client's own claim. */
  function clientIn(chain: readonly string[], peer: string): string {
    let last = peer;
    for (const hop of chain.toReversed()) {
      const address = addressIn(hop);
      if (address === undefined) return last;
      last = address;
      if (!isTrusted(address)) return address;
    }
    return last;
  }
}

/** A proxy sets one of two headers, and passes on what the client wrote into the other: only what both say is believed. */
function agreed<T>([first, second = first]: readonly T[]): T | undefined {
  return first === second ? first : undefined;
}

/** What X-Forwarded-… and Forwarded (RFC 7239) say about each hop, if they were sent. */
function chainsIn(headers: HttpHeaders, field: 'for' | 'proto' = 'for'): readonly (readonly string[])[] {
  const [legacy, standard] = [headers[`x-forwarded-${field}`], headers['forwarded']];
  const chains: string[][] = [];
  if (legacy !== undefined) chains.push(String(legacy).split(','));
  if (standard !== undefined) chains.push(fieldsIn(String(standard), field));
  return chains.map((chain) => chain.map((hop) => hop.trim()));
}

/** The value of a parameter in each element; empty if it has none, or if escapes leave open where its quotes end. */
function fieldsIn(forwarded: string, field: 'for' | 'proto'): string[] {
  return splitFromEnd(forwarded, ',').map((element) => {
    const parameters = element.includes('\\') ? [] : splitFromEnd(element, ';');
    const [value = ''] = parameters.flatMap((parameter) => FIELDS[field].exec(parameter.trim())?.[2] ?? []);
    return value;
  });
}

const FIELDS = { for: /^for=("?)([^"]*)\1$/i, proto: /^proto=("?)([^"]*)\1$/i };

/** From the end, where the proxies add theirs: a quote that the client has opened before must not swallow it. */
function splitFromEnd(text: string, separator: string): string[] {
  const parts: string[] = [];
  let end = text.length;
  let isQuoted = false;
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (isQuoted || text[at] !== separator) continue;
    parts.push(text.slice(at + 1, end));
    end = at;
  }
  return [...parts, text.slice(0, end)].toReversed();
}

/** `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`; undefined for anything else. */
function addressIn(hop: string): string | undefined {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
  return isIP(bare) === 0 ? undefined : plainAddress(bare);
}

/** An IPv4 address in the form of IPv6 is the same address. */
function plainAddress(address: string): string {
  return MAPPED.test(address) ? address.slice('::ffff:'.length) : address;
}

const MAPPED = /^::ffff:[\d.]+$/i;

function add(list: BlockList, text: unknown): void {
  const [address = '', prefix, ...rest] = String(text).split('/');
  const version = isIP(address);
  const most = version === 6 ? 128 : 32;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= most);
  if (version === 0 || !isPrefix || rest.length > 0)
    throw new TypeError(
      `trustProxy must list the addresses of proxies, such as 10.0.0.7 or 10.0.0.0/8, not ${JSON.stringify(text)}`,
    );
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (prefix === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(prefix), family);
}
