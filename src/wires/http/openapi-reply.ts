import type { App } from '../../app/app.ts';
import { etagOf, isKnown } from './etag.ts';
import type { Handler } from './find-route.ts';
import type { HttpReply } from './message.ts';
import type { OpenApiVersion } from './openapi.ts';

/** `GET /openapi.json`: created on first use, with an ETag. */
export function createOpenApiReply(app: App, base: string | undefined): Handler {
  const replies = new Map<OpenApiVersion, Promise<HttpReply>>();

  return async (request, query) => {
    const version = new URLSearchParams(query).get('version')?.startsWith('3.0') ? '3.0' : '3.1';
    let created = replies.get(version);
    if (!created) replies.set(version, (created = create(version)));
    const reply = await created;
    const etag = reply.headers['etag'] ?? '';
    return isKnown(etag, request) ? { status: 304, headers: { etag }, body: '' } : reply;
  };

  async function create(version: OpenApiVersion): Promise<HttpReply> {
    const { openApiText } = await import('./openapi.ts');
    const body = openApiText(app, version, base);
    const etag = await etagOf(body);
    return { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'no-cache', etag }, body };
  }
}
