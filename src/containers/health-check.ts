/**
 * A program for `node -e`, since slim images have no curl. It requests /healthz on the port of the server. A container
 * that runs another command (mcp, cgi, a function) listens nowhere and is always healthy. Every status below 500 is
 * healthy: with --allow-host, the server may reject 127.0.0.1.
 */
export function healthCheck(entry: string): string {
  const entryPattern = entry.replaceAll(/[/.]/g, String.raw`\$&`);
  return [
    `const command = /\\0${entryPattern}\\0(.*)/s.exec(require('node:fs').readFileSync('/proc/1/cmdline'))?.[1] ?? 'serve\\0';`,
    String.raw`if (!command.startsWith('serve\0')) process.exit(0);`,
    String.raw`const port = /\0--port[=\0](\d+)/.exec(command)?.[1] ?? process.env.EVERYWIRE_PORT ?? 8080;`,
    String.raw`const isTls = /\0--tls-cert[=\0]/.test(command) || process.env.EVERYWIRE_TLS_CERT;`,
    // The certificate is not made out to 127.0.0.1.
    "if (isTls) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';",
    "const answer = fetch((isTls ? 'https' : 'http') + '://127.0.0.1:' + port + '/healthz');",
    'answer.then(({ status }) => process.exit(status < 500 ? 0 : 1), () => process.exit(1));',
  ].join(' ');
}
