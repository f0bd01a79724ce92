import type { AppName } from '../every-wire.ts';
import type { PromiseId } from '../promises.ts';

/** A request that only HTTP has. Runs on a socket, through app.fetch and over CGI. */
export interface RequestBehaviour {
  readonly title: string;
  readonly proves: readonly PromiseId[];
  /** The calculator by default. */
  readonly app?: AppName;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly answer: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string | null>>;
    /** The exact body, unless it is a pattern. */
    readonly body: string | RegExp;
  };
  readonly except?: { readonly http?: string; readonly fetch?: string; readonly cgi?: string };
}

/** Over CGI `/nowhere` is short for `/functions/nowhere`. */
const SHORT = { cgi: 'reads a single name as a function' };

const json = { 'content-type': 'application/json' };
const sum = { method: 'POST', path: '/functions/Add', body: '{"x":1,"y":2}' } as const;
const three = { status: 200, headers: json, body: '{"result":3}' } as const;

const failed = (status: number, code: string, error: string, headers: Record<string, string | null> = {}) => ({
  status,
  headers: { ...json, 'everywire-error-code': code, ...headers },
  body: JSON.stringify({ error }),
});

export const requests: readonly RequestBehaviour[] = [
  { title: 'a call', proves: ['body.one'], ...sum, headers: json, answer: three },
  {
    title: 'no media type',
    proves: ['http.media-type'],
    ...sum,
    answer: three,
    except: { fetch: 'Request fills in text/plain for a body' },
  },
  {
    title: 'a charset',
    proves: ['http.media-type'],
    ...sum,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    answer: three,
  },
  {
    title: 'a +json type',
    proves: ['http.media-type'],
    ...sum,
    headers: { 'content-type': 'application/vnd.api+json' },
    answer: three,
  },
  {
    title: 'a wrong media type',
    proves: ['http.media-type', 'http.json-errors'],
    ...sum,
    headers: { 'content-type': 'text/plain' },
    answer: failed(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Unsupported media type: text/plain (send application/json in UTF-8)',
    ),
  },
  {
    title: 'a parameter without effect',
    proves: ['http.media-type'],
    ...sum,
    headers: { 'content-type': 'application/json; charset="utf-8"; profile="envelope"' },
    answer: three,
  },
  {
    title: 'a wrong charset',
    proves: ['http.media-type'],
    ...sum,
    headers: { 'content-type': 'application/json; charset=latin1' },
    answer: failed(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Unsupported media type: application/json; charset=latin1 (send application/json in UTF-8)',
    ),
  },
  {
    title: 'a form',
    proves: ['http.form'],
    ...sum,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'x=1&y=2',
    answer: three,
  },
  {
    title: 'a form from another site, which browsers send without a preflight',
    except: { fetch: 'the server around the app decides which origins may call' },
    proves: ['http.form', 'http.host-origin'],
    ...sum,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://elsewhere.example' },
    body: 'x=1&y=2',
    answer: failed(
      403,
      'FORBIDDEN',
      'Origin "https://elsewhere.example" is not allowed here (the server can allow it with cors.origins or --allow-origin)',
    ),
  },
  {
    title: 'a query on POST',
    proves: ['http.query'],
    ...sum,
    path: '/functions/Add?x=1&profile=plain',
    headers: json,
    answer: failed(400, 'BAD_REQUEST', '"x" in the query is not read with POST; send the arguments in the body'),
  },
  {
    title: 'a query on an unknown function',
    proves: ['function.not-found'],
    ...sum,
    path: '/functions/NonExistent?x=1',
    headers: json,
    answer: failed(404, 'FUNCTION_NOT_FOUND', 'Function not found: NonExistent'),
  },
  {
    title: 'a wrong method on a function',
    proves: ['http.method', 'http.json-errors'],
    path: '/functions/Add',
    answer: failed(405, 'METHOD_NOT_ALLOWED', 'GET is not allowed here, only POST, OPTIONS', {
      allow: 'POST, OPTIONS',
    }),
  },
  {
    title: 'a wrong method on the document',
    proves: ['http.method'],
    method: 'DELETE',
    path: '/openapi.json',
    answer: failed(405, 'METHOD_NOT_ALLOWED', 'DELETE is not allowed here, only GET, HEAD, OPTIONS', {
      allow: 'GET, HEAD, OPTIONS',
    }),
  },
  {
    title: 'OPTIONS',
    proves: ['http.method'],
    method: 'OPTIONS',
    path: '/functions/Add',
    answer: { status: 204, headers: { allow: 'POST, OPTIONS' }, body: '' },
  },
  {
    title: 'an unknown path',
    proves: ['http.json-errors'],
    path: '/nowhere?x=1',
    answer: failed(404, 'NOT_FOUND', 'No such path: /nowhere'),
    except: SHORT,
  },
  {
    title: 'an unknown function, with any method',
    proves: ['function.not-found', 'http.json-errors'],
    path: '/functions/NonExistent',
    answer: failed(404, 'FUNCTION_NOT_FOUND', 'Function not found: NonExistent'),
  },
  {
    title: 'a percent-encoded name',
    proves: ['name.path'],
    ...sum,
    path: '/functions/%41dd',
    headers: json,
    answer: three,
  },
  {
    title: 'a broken percent-encoding',
    proves: ['http.json-errors'],
    ...sum,
    path: '/functions/%zz',
    headers: json,
    answer: failed(404, 'FUNCTION_NOT_FOUND', 'Function not found: %zz'),
  },
  { title: 'health', proves: ['http.health'], path: '/healthz', answer: { status: 200, body: '{"status":"ok"}' } },
  { title: 'readiness', proves: ['http.health'], path: '/readyz', answer: { status: 200, body: '{"status":"ready"}' } },
  { title: 'HEAD', proves: ['http.method'], method: 'HEAD', path: '/healthz', answer: { status: 200, body: '' } },
  {
    title: 'the document',
    proves: ['openapi.document'],
    path: '/openapi.json',
    answer: { status: 200, headers: json, body: /^\{"openapi":"3\.1\.1"/ },
  },
  {
    title: 'the document for older tools',
    proves: ['openapi.old'],
    path: '/openapi.json?version=3.0',
    answer: { status: 200, headers: json, body: /^\{"openapi":"3\.0\.3"/ },
  },
  {
    title: 'the document with every profile',
    proves: ['profile.openapi'],
    path: '/openapi.json?profiles=all&version=3.0',
    answer: { status: 200, headers: json, body: /^\{"openapi":"3\.0\.3".*"application\/json; profile=envelope"/ },
  },
  {
    title: 'an unknown version of the document',
    proves: ['openapi.query', 'http.json-errors'],
    path: '/openapi.json?version=4',
    answer: failed(400, 'BAD_REQUEST', 'version must be 3.1 or 3.0, not "4"'),
  },
  {
    title: 'unknown profiles of the document',
    proves: ['openapi.query', 'http.json-errors'],
    path: '/openapi.json?profiles=envelope',
    answer: failed(400, 'BAD_REQUEST', 'profiles must be own or all, not "envelope"'),
  },
  {
    title: 'two versions of the document',
    proves: ['openapi.query'],
    path: '/openapi.json?version=3.0&version=3.1',
    answer: failed(400, 'BAD_REQUEST', 'version must be 3.1 or 3.0, not "3.0, 3.1"'),
  },
  {
    title: 'a foreign Host',
    proves: ['http.host-origin'],
    path: '/healthz',
    headers: { host: 'rebound.example' },
    answer: failed(
      403,
      'FORBIDDEN',
      'Host "rebound.example" is not served here (the server can allow it with hosts or --allow-host)',
    ),
    except: { fetch: 'the runtime routes by host', cgi: 'the web server routes by host' },
  },
  {
    title: 'a foreign Origin',
    except: { fetch: 'the server around the app decides which origins may call' },
    proves: ['http.host-origin'],
    ...sum,
    headers: { ...json, origin: 'https://elsewhere.example' },
    answer: failed(
      403,
      'FORBIDDEN',
      'Origin "https://elsewhere.example" is not allowed here (the server can allow it with cors.origins or --allow-origin)',
      { 'access-control-allow-origin': null, vary: 'Accept, Origin' },
    ),
  },
  {
    title: 'the Origin of a sandboxed page',
    except: { fetch: 'the server around the app decides which origins may call' },
    proves: ['http.host-origin'],
    ...sum,
    headers: { ...json, origin: 'null' },
    answer: failed(
      403,
      'FORBIDDEN',
      'Origin "null" is not allowed here (the server can allow it with cors.origins or --allow-origin)',
    ),
  },
  {
    title: 'its own Origin',
    proves: ['http.host-origin'],
    ...sum,
    headers: { ...json, host: 'localhost:1', origin: 'http://localhost:1' },
    answer: three,
    except: { fetch: 'the Host of a Request is that of its URL' },
  },
  ...negotiated([
    // Accept, the Content-Type of the response, and the start of the body
    ['*/*', 'application/json', '{"result":'],
    ['application/json', 'application/json', '{"result":'],
    ['application/json; charset=utf-8', 'application/json', '{"result":'],
    ['application/*', 'application/json', '{"result":'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'application/json', '{"result":'],
    ['application/json;profile=envelope', 'application/json; profile=envelope', '{"success":true'],
    ['APPLICATION/JSON; Profile="Envelope"', 'application/json; profile=envelope', '{"success":true'],
    ['application/json;profile="https://example.com/a envelope"', 'application/json; profile=envelope', '{"success"'],
    [
      'application/json;profile=status;q=0.4, application/json;profile=mcp;q=0.5',
      'application/json; profile=mcp',
      '{"c',
    ],
    [
      'application/json;profile=status, application/json;q=0.9',
      'application/json; profile=status',
      '{"status":"SUCCESS"',
    ],
    ['application/json;profile=nonsense, application/json;q=0.1', 'application/json', '{"result":'],
    ['application/json;profile=plain;q=0, */*', 'application/json; profile=envelope', '{"success":true'],
    ['application/problem+json', 'application/json; profile=problem', '{"result":'],
    ['application/problem+json, application/json', 'application/json; profile=problem', '{"result":'],
    ['nonsense', 'application/json', '{"result":'],
    ['', 'application/json', '{"result":'],
  ]),
  ...['text/html', 'application/json;profile=nonsense', 'application/json;q=0', '*/*;q=0', 'image/*, text/*'].map(
    (accept): RequestBehaviour => ({
      title: `Accept: ${accept} is not acceptable`,
      proves: ['profile.negotiation', 'http.json-errors'],
      ...sum,
      headers: { ...json, accept },
      answer: failed(
        406,
        'NOT_ACCEPTABLE',
        'Not acceptable; available: application/json, application/json; profile=envelope, application/json; profile=status, ' +
          'application/json; profile=problem, application/json; profile=mcp, application/problem+json',
        { vary: 'Accept' },
      ),
    }),
  ),
  {
    title: 'a profile in the query',
    proves: ['profile.negotiation'],
    ...sum,
    path: '/functions/Add?profile=status',
    headers: { ...json, accept: 'application/json' },
    answer: {
      status: 200,
      headers: { 'content-type': 'application/json; profile=status' },
      body: '{"status":"SUCCESS","data":3}',
    },
  },
  {
    title: 'an unknown profile in the query',
    proves: ['profile.negotiation'],
    ...sum,
    path: '/functions/Add?profile=constructor',
    headers: json,
    answer: { status: 406, headers: { 'everywire-error-code': 'NOT_ACCEPTABLE' }, body: /^\{"error":"Not acceptable/ },
  },
  {
    title: 'a problem, with its own type',
    proves: ['profile.negotiation', 'profile.bodies'],
    method: 'POST',
    path: '/functions/Divide',
    headers: { ...json, accept: 'application/problem+json' },
    body: '{"dividend":1,"divisor":0}',
    answer: {
      status: 422,
      headers: {
        'content-type': 'application/problem+json',
        vary: 'Accept',
        'everywire-error-code': 'DIVISION_BY_ZERO',
      },
      body: /^\{"type":"about:blank","title":"Unprocessable Entity","status":422,"detail":"Cannot divide by zero"/,
    },
  },
  {
    title: 'an unknown path, in the requested profile',
    proves: ['profile.negotiation'],
    path: '/nowhere',
    headers: { accept: 'application/json;profile=status' },
    except: SHORT,
    answer: {
      status: 404,
      headers: { 'content-type': 'application/json; profile=status', vary: 'Accept' },
      body: '{"status":"ERROR","error":{"code":"NOT_FOUND","message":"No such path: /nowhere","retry":false}}',
    },
  },
  {
    title: 'a wrong method, in the requested profile',
    proves: ['profile.negotiation', 'http.method'],
    method: 'DELETE',
    path: '/openapi.json',
    headers: { accept: 'application/problem+json' },
    answer: {
      status: 405,
      headers: { 'content-type': 'application/problem+json', allow: 'GET, HEAD, OPTIONS' },
      body: /"code":"METHOD_NOT_ALLOWED"/,
    },
  },
  {
    title: 'a body that is too large, in the requested profile',
    proves: ['profile.negotiation', 'http.limits'],
    method: 'POST',
    path: '/functions/Add',
    headers: { ...json, accept: 'application/problem+json' },
    body: `"${'x'.repeat(1_100_000)}"`,
    answer: {
      status: 413,
      headers: { 'content-type': 'application/problem+json' },
      body: /"code":"PAYLOAD_TOO_LARGE"/,
    },
  },
  {
    title: 'a response does not vary by Origin if no other origin may call',
    proves: ['profile.negotiation', 'http.host-origin'],
    ...sum,
    headers: { ...json, host: 'localhost', origin: 'http://localhost' },
    answer: { status: 200, headers: { vary: 'Accept' }, body: '{"result":3}' },
  },
  {
    title: 'documents and health are not negotiated',
    proves: ['profile.negotiation'],
    path: '/healthz',
    headers: { accept: 'text/html' },
    answer: { status: 200, headers: { ...json, vary: null }, body: '{"status":"ok"}' },
  },
];

function negotiated(rows: readonly (readonly [accept: string, type: string, begins: string])[]): RequestBehaviour[] {
  return rows.map(([accept, type, begins]) => ({
    title: `Accept: ${accept}`,
    proves: ['profile.negotiation'],
    ...sum,
    headers: { ...json, accept },
    answer: {
      status: 200,
      headers: { 'content-type': type, vary: 'Accept' },
      body: new RegExp(`^${begins.replaceAll(/[{}"]/g, '\\$&')}`),
    },
  }));
}
