import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** A certificate and its key. Each is the path of a PEM file, or the PEM text itself. */
export interface TlsOptions {
  /** The certificate, followed by those of its issuers. */
  readonly cert: string;
  /** Its private key, without a passphrase. */
  readonly key: string;
}

/**
 * Reads a certificate and its key. Throws an Error that says in one sentence what is wrong with them: OpenSSL would say
 * `error:0480006C:PEM routines::no start line`, or nothing until a client connects.
 */
export function readCertificate(options: TlsOptions): { readonly cert: string; readonly key: string } {
  const cert = readPem('certificate', options.cert);
  const key = readPem('key', options.key);
  const privateKey = parseKey(key);
  if (!parseCertificate(cert).checkPrivateKey(privateKey))
    throw new Error(`TLS: the key in ${key.place} does not belong to the certificate in ${cert.place}`);
  const pair = { cert: cert.text, key: key.text };
  try {
    createSecureContext(pair);
  } catch (error) {
    // Such as an RSA key that is too short to be safe.
    throw new Error(`TLS: ${cert.place} cannot be used: ${(error as Error).message}`, { cause: error });
  }
  return pair;
}

interface Pem {
  readonly what: 'certificate' | 'key';
  readonly text: string;
  /** Where it was read. */
  readonly place: string;
}

const PEM_MARKS = {
  certificate: /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/,
  key: /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
};

/** Paths never contain `-----BEGIN`, and PEM texts always do. */
function readPem(what: Pem['what'], given: string): Pem {
  const option = what === 'certificate' ? 'tls.cert' : 'tls.key';
  if (typeof given !== 'string' || given === '')
    throw new Error(`TLS ${what}: ${option} must be the path of a PEM file, or its text`);
  const isText = given.includes('-----BEGIN');
  const pem = { what, text: isText ? given : readText(what, given), place: isText ? option : given };
  if (!PEM_MARKS[what].test(pem.text)) {
    const [, other] = /-----BEGIN ([A-Z0-9 ]{1,40})-----/.exec(pem.text) ?? [];
    const found = other ? `has "${other}"` : 'is not a PEM file';
    throw new Error(`TLS ${what}: ${pem.place} ${found}; expected a ${what} between -----BEGIN and -----END lines`);
  }
  return pem;
}

const REASONS: Record<string, string> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
};

function readText(what: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`TLS ${what}: cannot read ${path}: ${REASONS[code] ?? message}`, { cause: error });
  }
}

function parseCertificate({ text, place }: Pem): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (error) {
    throw new Error(`TLS certificate: ${place} is damaged: ${(error as Error).message}`, { cause: error });
  }
}

function parseKey({ text, place }: Pem): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (error) {
    // Both forms of PEM say so; each version of Node has its own error for it.
    const problem = text.includes('ENCRYPTED')
      ? `is protected with a passphrase; write one without: openssl pkey -in ${place} -out plain-key.pem`
      : `is damaged: ${(error as Error).message}`;
    throw new Error(`TLS key: ${place} ${problem}`, { cause: error });
  }
}
