import { createHmac, generateKeyPairSync, sign as signBytes, type JsonWebKey, type KeyObject } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The tokens of the tests are made by hand, with node:crypto: nothing of what verifies them makes them. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: JsonWebKey;
}

const KINDS: Readonly<Record<string, () => { privateKey: KeyObject; publicKey: KeyObject }>> = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
};

export function createKey(kid: string, alg = 'ES256'): SigningKey {
  const { privateKey, publicKey } = KINDS[alg]!();
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' };
  return { kid, alg, privateKey, publicKey, jwk };
}

export const base64 = (data: object | string | Buffer): string =>
  Buffer.from(typeof data === 'string' || Buffer.isBuffer(data) ? data : JSON.stringify(data)).toString('base64url');

/** Signs what it is given, whether that makes sense or not. */
export function signToken(key: SigningKey, claims: object | string, header: object = {}): string {
  const signed = `${base64({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })}.${base64(claims)}`;
  const algorithm = key.alg === 'EdDSA' ? null : 'sha256';
  const signature = signBytes(algorithm, Buffer.from(signed), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${base64(signature)}`;
}

export function signWithSecret(secret: string | Buffer, claims: object, header: object): string {
  const signed = `${base64(header)}.${base64(claims)}`;
  return `${signed}.${base64(createHmac('sha256', secret).update(signed).digest())}`;
}

export interface Server extends AsyncDisposable {
  readonly url: string;
  /** The paths of all requests so far. */
  readonly requests: string[];
}

export async function startServer(listener: RequestListener): Promise<Server> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface Issuer extends Server {
  /** What it publishes. */
  keys: SigningKey[];
  /** Instead of what it publishes. */
  answer: RequestListener | undefined;
  /** A token that is right, except for what is given. */
  token(claims?: object, header?: object, key?: SigningKey): string;
}

export const AUDIENCE = 'https://api.example.com';

export const seconds = (): number => Math.floor(Date.now() / 1000);

/** An issuer of tokens, with metadata and keys. */
export async function startIssuer(...keys: SigningKey[]): Promise<Issuer> {
  const server = await startServer((request, response) => {
    if (issuer.answer) return issuer.answer(request, response);
    const published: Record<string, object> = {
      '/.well-known/openid-configuration': { issuer: server.url, jwks_uri: `${server.url}/jwks` },
      '/jwks': { keys: issuer.keys.map(({ jwk }) => jwk) },
    };
    const found = published[request.url ?? ''];
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? {}));
  });
  const issuer: Issuer = {
    ...server,
    keys,
    answer: undefined,
    token(claims = {}, header = {}, key = issuer.keys[0]!) {
      const now = seconds();
      const right = { iss: server.url, aud: AUDIENCE, sub: 'ada', iat: now, exp: now + 300, scope: 'read' };
      return signToken(key, { ...right, ...claims }, header);
    },
  };
  return issuer;
}
