/** Identifies content. Node's crypto is loaded late: most starts of most commands need none of it. */
export function digestOf(content: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(content).digest('hex').slice(0, 40);
}
