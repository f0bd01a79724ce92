interface NodeCrypto {
  readonly hash?: (algorithm: string, text: string, encoding: 'hex') => string;
  createHash(algorithm: string): { update(text: string): { digest(encoding: 'hex'): string } };
}

const { process } = globalThis as {
  process?: { getBuiltinModule?: (name: string) => unknown };
};
const node = process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;

/**
 * 64 hexadecimal digits. At once where there is node:crypto: WebCrypto has only promises, and takes longer than the rest of
 * the call.
 */
export function sha256(text: string): string | Promise<string> {
  if (node?.hash) return node.hash('sha256', text, 'hex');
  return node ? node.createHash('sha256').update(text).digest('hex') : digest(text);
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
