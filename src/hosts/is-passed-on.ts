import type { HttpRequest } from '../wires/http/message.ts';

/** Whether a proxy on this machine passes a request on, for somebody elsewhere. Not every proxy says so. */
export function isPassedOn({ headers }: Pick<HttpRequest, 'headers'>): boolean {
  return Object.keys(headers).some((name) => PROXY.test(name));
}

/** Headers that only proxies, content delivery networks and tunnels add. A header too many hides what is for this machine only. */
const PROXY = new RegExp(
  [
    '^(?:x-)?forwarded(?:-.+)?$',
    '^(?:via|cdn-loop|x-via|x-proxy-.+|x-proxyuser-ip|x-nginx-proxy)$',
    '^x-(?:real|client|cluster-client|originating|remote|true-client|user|source)-?ip$',
    '^x-(?:real-port|remote-addr|host|original-(?:for|forwarded-for|host|proto|uri|url)|rewrite-url|url-scheme)$',
    '^(?:true-client|client|fastly-client|fly-client|do-connecting|cf-connecting)-ip(?:v6)?$',
    '^(?:cf|fly|fastly|akamai|tailscale|ngrok|x-(?:envoy|amzn|amz-cf|appengine|azure|fd|vercel|nf|arr|akamai|goog))-.+$',
  ].join('|'),
);
