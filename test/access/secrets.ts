import { createHash, randomBytes } from 'node:crypto';
import type { CredentialParts } from 'everywire/access';
import { AUDIENCE, base64, createKey, startIssuer, startServer } from './issuer.ts';
import type { Issuer, Server } from './issuer.ts';

/** Something secret, in a form that can be presented. */
export interface Planted {
  readonly send: Pick<CredentialParts, 'bearer' | 'apiKey' | 'malformed'>;
  /** What must not be seen of it. */
  readonly hide: readonly string[];
}

export interface Secrets extends AsyncDisposable {
  /** An API key that is right, and the app's own secret at the authorization server. */
  readonly valid: string;
  /** For the app: where the servers are, and the hash of the key. */
  readonly environment: Readonly<Record<string, string>>;
  /** The next way to present something secret. */
  plant(): Planted;
  /** Those that were planted, and are to be seen in the text. */
  seenIn(text: string): string[];
  readonly planted: ReadonlySet<string>;
}

const canary = () => randomBytes(12).toString('hex');

/** An issuer, a server for introspection, and new secrets in all forms. */
export async function startSecrets(): Promise<Secrets> {
  const issuer = await startIssuer(createKey('key'));
  const endpoint = await startEndpoint();
  const valid = canary();
  const planted = new Set([valid]);
  const ways = waysFor(issuer);
  let count = 0;
  return {
    valid,
    planted,
    environment: {
      CANARY_ISSUER: issuer.url,
      CANARY_ENDPOINT: endpoint.url,
      CANARY_KEY: `sha256:${createHash('sha256').update(valid).digest('hex')}`,
      CANARY_SECRET: valid,
    },
    plant() {
      const way = ways[count % ways.length]!;
      // At times the key that is right.
      const secret = count % ways.length === 0 && count % 5 === 0 ? valid : canary();
      count++;
      const { send, hide = [secret] } = way(secret);
      const bearer = send.bearer ? [send.bearer, send.bearer.split('.').at(-1)!] : [];
      const all = [...hide, ...bearer];
      for (const one of all) planted.add(one);
      return { send, hide: all };
    },
    seenIn: (text) => [...planted].filter((secret) => text.includes(secret)),
    async [Symbol.asyncDispose]() {
      await Promise.all([issuer, endpoint].map((server) => server[Symbol.asyncDispose]()));
    },
  };
}

type Way = (secret: string) => { send: Planted['send']; hide?: string[] };

const waysFor = (issuer: Issuer): Way[] => [
  (secret) => ({ send: { apiKey: secret } }),
  (secret) => ({ send: { bearer: secret } }),
  (secret) => ({ send: { bearer: `broken-${secret}` } }),
  (secret) => ({ send: { bearer: secret, malformed: true } }),
  (secret) => ({ send: { bearer: issuer.token({ secret }) }, hide: [secret, base64(secret)] }),
  (secret) => ({ send: { bearer: issuer.token({ secret: { list: [secret] }, exp: 1 }) } }),
  (secret) => ({ send: { bearer: issuer.token({ aud: secret }) } }),
  (secret) => ({ send: { bearer: issuer.token({ iss: `${issuer.url}/${secret}` }) } }),
  (secret) => ({ send: { bearer: issuer.token({}, { kid: secret }) } }),
  (secret) => ({ send: { bearer: issuer.token({}, { crit: [secret], [secret]: 1 }) } }),
  (secret) => ({ send: { bearer: issuer.token({ exp: secret }) } }),
  (secret) => ({ send: { bearer: `${base64({ alg: secret })}.${base64({ iss: issuer.url, secret })}.${secret}` } }),
];

/** Returns the token, as no server should. */
function startEndpoint(): Promise<Server> {
  return startServer((request, response) => {
    let form = '';
    request.on('data', (data) => (form += data));
    request.on('end', () => {
      const token = new URLSearchParams(form).get('token')!;
      const isBroken = token.startsWith('broken');
      response.statusCode = isBroken ? 500 : 200;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(isBroken ? { error: token } : { active: true, aud: AUDIENCE, sub: 'a', jti: token }));
    });
  });
}
