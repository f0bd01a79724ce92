import { Agent, request } from 'node:http';

export interface Posted {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true });

/** Sends JSON to a local server. Uses node:http, which takes half the time of fetch. */
export function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const typed = { 'content-type': 'application/json', 'content-length': bytes.length, ...headers };
    const sent = request(url, { method: 'POST', agent, headers: typed }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => void parts.push(part));
      response.once('error', reject);
      response.once('end', () => {
        const { statusCode = 0, headers: received } = response;
        resolve({ status: statusCode, headers: received, text: Buffer.concat(parts).toString() });
      });
    });
    sent.once('error', (error: Error & { code?: string }) => {
      // The server may close an idle connection just as it is reused.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(post(url, headers, body));
      else reject(error);
    });
    sent.end(bytes);
  });
}
