import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpHeaders, HttpRequest } from '../wires/http/message.ts';

/** The wire's view of a Node request. Nothing is copied. */
export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HttpHeaders;

  constructor(
    request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly body: Uint8Array,
  ) {
    this.method = request.method ?? 'GET';
    this.target = request.url ?? '/';
    this.headers = request.headers;
  }

  readonly onDisconnect = (listener: () => void): void => {
    this.response.once('close', () => this.response.writableFinished || listener());
  };
}
