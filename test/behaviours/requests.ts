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

/** The server around the app decides, if there is one. */
const OUTER = { fetch: 'the server around the app decides which origins may call' };

const json = { 'content-type': 'application/json' };
const sum = { method: 'POST', path: '/functions/Add', body: '{"x":1,"y":2}' } as const;
const three = { status: 200, headers: json, body: '{"result":3}' } as const;

export const failed = (status: number, code: string, error: string, headers: Record<string, string | null> = {}) => ({
  status,
  headers: { ...json, 'everywire-error-code': code, ...headers },
  body: JSON.stringify({ error }),
});

const unsupported = (type: string) =>
  failed(415, 'UNSUPPORTED_MEDIA_TYPE', `Unsupported media type: ${type} (send application/json in UTF-8)`);
export const notAllowed = (method: string, allow: string) =>
  failed(405, 'METHOD_NOT_ALLOWED', `${method} is not allowed here, only ${allow}`, { allow });
const notFound = (name: string) => failed(404, 'FUNCTION_NOT_FOUND', `Function not found: ${name}`);
const badRequest = (error: string) => failed(400, 'BAD_REQUEST', error);
const foreign = (origin: string, headers = {}) =>
  failed(
    403,
    'FORBIDDEN',
    `Origin "${origin}" is not allowed here (the server can allow it with cors.origins or --allow-origin)`,
    headers,
  );
const found = (body: string | RegExp, headers: Record<string, string | null> = {}) => ({ status: 200, headers, body });

type Proves = PromiseId | readonly PromiseId[];
type Rest = Partial<RequestBehaviour> & Pick<RequestBehaviour, 'answer'>;
/** A request for a path; with GET, unless it says otherwise. */
const at = (title: string, proves: Proves, path: string, rest: Rest): RequestBehaviour => ({
  title,
  proves: [proves].flat(),
  path,
  ...rest,
});
/** 1 + 2, with a Content-Type. */
const add = (title: string, proves: Proves, type: string, rest: Rest): RequestBehaviour =>
  at(title, proves, sum.path, { ...sum, ...rest, headers: { 'content-type': type, ...rest.headers } });
const JSON_TYPE = json['content-type'];
const FORM = 'application/x-www-form-urlencoded';
const PROBLEM = 'application/problem+json';

export const requests: readonly RequestBehaviour[] = [
  add('a call', 'body.one', JSON_TYPE, { answer: three }),
  at('no media type', 'http.media-type', sum.path, {
    ...sum,
    except: { fetch: 'Request fills in text/plain for a body' },
    answer: three,
  }),
  add('a charset', 'http.media-type', 'application/json; charset=UTF-8', { answer: three }),
  add('a +json type', 'http.media-type', 'application/vnd.api+json', { answer: three }),
  add('a wrong media type', ['http.media-type', 'http.json-errors'], 'text/plain', {
    answer: unsupported('text/plain'),
  }),
  add('a parameter without effect', 'http.media-type', 'application/json; charset="utf-8"; profile="envelope"', {
    answer: three,
  }),
  add('a wrong charset', 'http.media-type', 'application/json; charset=latin1', {
    answer: unsupported('application/json; charset=latin1'),
  }),
  add('a form', 'http.form', FORM, { body: 'x=1&y=2', answer: three }),
  add('a form from another site, which browsers send without a preflight', ['http.form', 'http.host-origin'], FORM, {
    headers: { origin: 'https://elsewhere.example' },
    body: 'x=1&y=2',
    except: OUTER,
    answer: foreign('https://elsewhere.example'),
  }),
  add('a query on POST', 'http.query', JSON_TYPE, {
    path: '/functions/Add?x=1&profile=plain',
    answer: badRequest('"x" in the query is not read with POST; send the arguments in the body'),
  }),
  add('a query on an unknown function', 'function.not-found', JSON_TYPE, {
    path: '/functions/NonExistent?x=1',
    answer: notFound('NonExistent'),
  }),
  at('a wrong method on a function', ['http.method', 'http.json-errors'], '/functions/Add', {
    answer: notAllowed('GET', 'POST, OPTIONS'),
  }),
  at('a wrong method on the document', 'http.method', '/openapi.json', {
    method: 'DELETE',
    answer: notAllowed('DELETE', 'GET, HEAD, OPTIONS'),
  }),
  at('OPTIONS', 'http.method', '/functions/Add', {
    method: 'OPTIONS',
    answer: { status: 204, headers: { allow: 'POST, OPTIONS' }, body: '' },
  }),
  at('an unknown path', 'http.json-errors', '/nowhere?x=1', {
    except: SHORT,
    answer: failed(404, 'NOT_FOUND', 'No such path: /nowhere'),
  }),
  at('an unknown function, with any method', ['function.not-found', 'http.json-errors'], '/functions/NonExistent', {
    answer: notFound('NonExistent'),
  }),
  add('a percent-encoded name', 'name.path', JSON_TYPE, { path: '/functions/%41dd', answer: three }),
  add('a broken percent-encoding', 'http.json-errors', JSON_TYPE, { path: '/functions/%zz', answer: notFound('%zz') }),
  at('health', 'http.health', '/healthz', { answer: found('{"status":"ok"}') }),
  at('readiness', 'http.health', '/readyz', { answer: found('{"status":"ready"}') }),
  at('HEAD', 'http.method', '/healthz', { method: 'HEAD', answer: found('') }),
  at('the document', 'openapi.document', '/openapi.json', { answer: found(/^\{"openapi":"3\.1\.1"/, json) }),
  at('the document for older tools', 'openapi.old', '/openapi.json?version=3.0', {
    answer: found(/^\{"openapi":"3\.0\.3"/, json),
  }),
  at('the document with every profile', 'profile.openapi', '/openapi.json?profiles=all&version=3.0', {
    answer: found(/^\{"openapi":"3\.0\.3".*"application\/json; profile=envelope"/, json),
  }),
  at('an unknown version of the document', ['openapi.query', 'http.json-errors'], '/openapi.json?version=4', {
    answer: badRequest('version must be 3.1 or 3.0, not "4"'),
  }),
  at('unknown profiles of the document', ['openapi.query', 'http.json-errors'], '/openapi.json?profiles=envelope', {
    answer: badRequest('profiles must be own or all, not "envelope"'),
  }),
  at('two versions of the document', 'openapi.query', '/openapi.json?version=3.0&version=3.1', {
    answer: badRequest('version must be 3.1 or 3.0, not "3.0, 3.1"'),
  }),
  at('a foreign Host', 'http.host-origin', '/healthz', {
    headers: { host: 'rebound.example' },
    except: { fetch: 'the runtime routes by host', cgi: 'the web server routes by host' },
    answer: failed(
      403,
      'FORBIDDEN',
      'Host "rebound.example" is not served here (the server can allow it with hosts or --allow-host)',
    ),
  }),
  add('a foreign Origin', 'http.host-origin', JSON_TYPE, {
    headers: { origin: 'https://elsewhere.example' },
    except: OUTER,
    answer: foreign('https://elsewhere.example', { 'access-control-allow-origin': null, vary: 'Accept, Origin' }),
  }),
  add('the Origin of a sandboxed page', 'http.host-origin', JSON_TYPE, {
    headers: { origin: 'null' },
    except: OUTER,
    answer: foreign('null'),
  }),
  add('its own Origin', 'http.host-origin', JSON_TYPE, {
    headers: { host: 'localhost:1', origin: 'http://localhost:1' },
    except: { fetch: 'the Host of a Request is that of its URL' },
    answer: three,
  }),
  ...negotiated([
    // Accept, the Content-Type of the response, and the start of the body
    ['application/json; charset=utf-8', 'application/json', '{"result":'],
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
  add('a profile in the query', 'profile.negotiation', JSON_TYPE, {
    path: '/functions/Add?profile=status',
    headers: { accept: JSON_TYPE },
    answer: found('{"status":"SUCCESS","data":3}', { 'content-type': 'application/json; profile=status' }),
  }),
  add('an unknown profile in the query', 'profile.negotiation', JSON_TYPE, {
    path: '/functions/Add?profile=constructor',
    answer: { status: 406, headers: { 'everywire-error-code': 'NOT_ACCEPTABLE' }, body: /^\{"error":"Not acceptable/ },
  }),
  add('a problem, with its own type', ['profile.negotiation', 'profile.bodies'], JSON_TYPE, {
    path: '/functions/Divide',
    headers: { accept: PROBLEM },
    body: '{"dividend":1,"divisor":0}',
    answer: {
      status: 422,
      headers: { 'content-type': PROBLEM, vary: 'Accept', 'everywire-error-code': 'DIVISION_BY_ZERO' },
      body: /^\{"type":"about:blank","title":"Unprocessable Entity","status":422,"detail":"Cannot divide by zero"/,
    },
  }),
  at('an unknown path, in the requested profile', 'profile.negotiation', '/nowhere', {
    headers: { accept: 'application/json;profile=status' },
    except: SHORT,
    answer: {
      status: 404,
      headers: { 'content-type': 'application/json; profile=status', vary: 'Accept' },
      body: '{"status":"ERROR","error":{"code":"NOT_FOUND","message":"No such path: /nowhere","retry":false}}',
    },
  }),
  at('a wrong method, in the requested profile', ['profile.negotiation', 'http.method'], '/openapi.json', {
    method: 'DELETE',
    headers: { accept: PROBLEM },
    answer: {
      status: 405,
      headers: { 'content-type': PROBLEM, allow: 'GET, HEAD, OPTIONS' },
      body: /"code":"METHOD_NOT_ALLOWED"/,
    },
  }),
  add('a body that is too large, in the requested profile', ['profile.negotiation', 'http.limits'], JSON_TYPE, {
    headers: { accept: PROBLEM },
    body: `"${'x'.repeat(1_100_000)}"`,
    answer: { status: 413, headers: { 'content-type': PROBLEM }, body: /"code":"PAYLOAD_TOO_LARGE"/ },
  }),
  add(
    'a response does not vary by Origin if no other origin may call',
    ['profile.negotiation', 'http.host-origin'],
    JSON_TYPE,
    { headers: { host: 'localhost', origin: 'http://localhost' }, answer: found('{"result":3}', { vary: 'Accept' }) },
  ),
  at('documents and health are not negotiated', 'profile.negotiation', '/healthz', {
    headers: { accept: 'text/html' },
    answer: found('{"status":"ok"}', { ...json, vary: null }),
  }),
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
