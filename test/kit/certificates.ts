import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { temporaryFolder } from './temporary-folder.ts';

/** A certificate for localhost that openssl made, and its key. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** In CI nothing may go untested. */
export const canCertify = process.env['CI'] === 'true' || spawnSync('openssl', ['version']).status === 0;
if (!canCertify) console.warn('NOT TESTED WITH TLS: needs openssl');

export function createCertificate(name = 'localhost'): Certificate {
  const folder = temporaryFolder('tls');
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  openssl('req', '-x509', ...curve, '-keyout', key, '-out', cert, '-days', '2', ...names);
  return { cert, key };
}

/** The name in the certificate that a new connection gets. */
export async function nameServedBy({ url }: { readonly url: string }): Promise<string> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return String(subject.CN);
}

export function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
