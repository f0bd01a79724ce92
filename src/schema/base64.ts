// Buffer, which Node, Bun and Deno have, is a hundred times faster than atob and btoa.
interface NodeBuffer {
  from(text: string, encoding: 'base64'): Uint8Array;
  from(bytes: ArrayBufferLike, at: number, length: number): { toString(encoding: 'base64'): string };
}

const NodeBuffer = (globalThis as { Buffer?: NodeBuffer }).Buffer;

/** Decodes base64. The bytes have a buffer of their own: they are not a slice of Node's pool. */
export function fromBase64(text: string): Uint8Array {
  if (NodeBuffer) return new Uint8Array(NodeBuffer.from(text, 'base64'));
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Few enough to be arguments of one call, and a multiple of 3, so that only the last chunk is padded.
const CHUNK = 3 * 4096;

export function toBase64(bytes: Uint8Array): string {
  if (NodeBuffer) return NodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return text;
}

export const BASE64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

/** Same as the pattern `BASE64`, which overflows the stack of the regular expression engine on megabytes. */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const end = text.indexOf('=');
  if (end !== -1 && (end < text.length - 2 || !text.endsWith('='))) return false;
  return !/[^A-Za-z0-9+/=]/.test(text);
}
