import { createApp, defineResource, type App } from 'everywire';
import { serve } from 'everywire/node';
import { describe, expect, it } from 'vitest';
import { handleCgi } from '../../src/hosts/cgi.ts';
import { createFetchHost } from '../../src/hosts/fetch.ts';
import { headers, origins, OWN, pageRequests, rules, type PageRequest, type Rules } from '../behaviours/cors.ts';
import { fn, integer, object, silent } from '../kit/functions.ts';
import { problemsOf, throwing } from '../kit/parts.ts';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';
import { parseCgi } from '../wires/cgi.ts';

function pageApp(cors: Rules['cors']): App {
  const add = fn('Add', { input: object({ x: integer, y: integer }), output: integer }, ({ x, y }) => x + y);
  const resources = [
    defineResource({ uri: 'notes://x', name: 'Note', description: 'N.', read: () => 'Buy milk' }),
    defineResource({ uri: 'fails://x', name: 'Fails', description: 'F.', read: throwing(new Error('no')) }),
  ];
  const rest = { limits: { body: 1000 }, log: silent, ...(cors !== undefined && cors !== 'outer' && { cors }) };
  return createApp({ name: 'Page', version: '1.0.0', functions: [add], resources, ...rest }) as App;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
}

interface Host {
  /** Of the server itself. */
  readonly origin: string;
  send(request: Request): Promise<Reply>;
  close(): Promise<unknown>;
}

const hosts: Readonly<Record<string, (app: App, cors: 'outer' | undefined) => Promise<Host>>> = {
  async node(app, cors) {
    const { url, drain } = await serve(app, { port: 0, cors });
    return { origin: url, send: (request) => fetch(request).then(consumed), close: drain };
  },
  async fetch(app) {
    const { handle } = createFetchHost(app as never);
    return { origin: 'http://localhost', send: (request) => handle(request).then(consumed), close: async () => {} };
  },
  async cgi(app, cors) {
    return { origin: 'http://localhost', send: (request) => throughCgi(app, cors, request), close: async () => {} };
  },
};

async function consumed(response: Response): Promise<Reply> {
  await response.arrayBuffer();
  return response;
}

/** Without bodies. */
async function throughCgi(app: App, cors: 'outer' | undefined, request: Request): Promise<Reply> {
  const named = [...request.headers].map(([name, value]) => [`HTTP_${name.toUpperCase().replaceAll('-', '_')}`, value]);
  const { pathname } = new URL(request.url);
  const { head, body } = await handleCgi(
    app as never,
    {
      ...Object.fromEntries(named),
      HTTP_HOST: 'localhost',
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(pathname),
      CONTENT_LENGTH: '0',
    },
    { cors, read: () => 0, onExit: () => {} },
  );
  if (typeof body !== 'string') await body.cancel();
  const { status, headers: received } = parseCgi(head);
  return { status, headers: new Headers(received) };
}

/** Sends what a browser sends for a page, and decides as the Fetch standard says whether the page can read the response. */
async function asBrowser(
  host: Host,
  { method, path, body, type }: PageRequest,
  page: { readonly origin: string | undefined; readonly sent: readonly string[]; readonly credentials: boolean },
): Promise<{ readonly can: 'read' | 'not send' | 'not read'; readonly replies: readonly Reply[] }> {
  const { origin, credentials } = page;
  const url = host.origin + path;
  const from = origin === undefined ? {} : { origin };
  const custom = [...page.sent, ...(type === 'application/json' ? ['content-type'] : [])];
  const unsafe = [...new Set(custom)].toSorted();
  const isForeign = origin !== undefined && origin !== host.origin;
  const replies: Reply[] = [];

  const permits = ({ headers: received }: Reply) => {
    const allowed = received.get('access-control-allow-origin');
    if (!credentials) return allowed === '*' || allowed === origin;
    return allowed === origin && received.get('access-control-allow-credentials') === 'true';
  };
  const listed = ({ headers: received }: Reply, name: string) =>
    (received.get(name) ?? '').split(',').map((one) => one.trim().toLowerCase());

  if (isForeign && (unsafe.length > 0 || !['GET', 'HEAD', 'POST'].includes(method))) {
    const asked = {
      'access-control-request-method': method,
      ...(unsafe.length > 0 && { 'access-control-request-headers': unsafe.join(',') }),
    };
    const preflight = await host.send(new Request(url, { method: 'OPTIONS', headers: { ...from, ...asked } }));
    replies.push(preflight);
    const mayUse =
      ['GET', 'HEAD', 'POST'].includes(method) ||
      listed(preflight, 'access-control-allow-methods').includes(method.toLowerCase());
    const maySend = unsafe.every((name) => listed(preflight, 'access-control-allow-headers').includes(name));
    const isOk = preflight.status >= 200 && preflight.status <= 299;
    if (!isOk || !permits(preflight) || !mayUse || !maySend) return { can: 'not send', replies };
  }
  const sent = Object.fromEntries(page.sent.map((name) => [name, 'x']));
  // A session that does not exist would change what is answered.
  delete sent['mcp-session-id'];
  delete sent['mcp-protocol-version'];
  const init = {
    method,
    headers: { accept: 'application/json, text/event-stream', ...sent, ...from, ...(type && { 'content-type': type }) },
    ...(body !== undefined && { body }),
  };
  const reply = await host.send(new Request(url, init));
  replies.push(reply);
  return { can: !isForeign || permits(reply) ? 'read' : 'not read', replies };
}

const access = ({ headers: received }: Reply) =>
  [...received.keys()].filter((name) => name.startsWith('access-control-'));
const varies = ({ headers: received }: Reply) => /(?:^|, )Origin(?:,|$)/.test(received.get('vary') ?? '');

/** Headers of a response that every page may read, and those for servers on the way. */
const SAFE = 'cache-control content-language content-length content-type expires last-modified pragma vary date status';
/** Browsers undo the content-encoding. */
const FOR_OTHERS = 'content-encoding connection keep-alive transfer-encoding x-accel-buffering';
const FOR_BROWSERS = 'content-security-policy x-content-type-options';
const ALWAYS = new Set(`${SAFE} ${FOR_OTHERS} ${FOR_BROWSERS}`.split(' '));

/** One origin of each kind. */
const KINDS = [undefined, OWN, 'https://app.example', 'https://one.app.example', 'https://evil.example'] as const;

/**
 * Which pages send which requests. `npm test` tries every origin, header and credential on one path of one host, and one
 * origin of each kind on the others; `npm run test:full` every combination on every host.
 */
function* pages(host: string, rule: Rules) {
  const allowed = rule.credentials === true;
  const isFull = size(0, 1) === 1;
  for (const request of pageRequests) {
    const isFirst = request === pageRequests[0];
    for (const given of isFull || (isFirst && host === 'fetch') ? origins : KINDS) {
      if (isFirst) {
        for (const kind of Object.keys(headers) as (keyof typeof headers)[])
          for (const credentials of [false, true]) yield { given, request, kind, credentials };
      } else {
        // The others differ in nothing but the path.
        yield { given, request, kind: 'none' as const, credentials: allowed };
        if (isFull) yield { given, request, kind: 'known' as const, credentials: allowed };
      }
    }
  }
}

describe.each(Object.keys(hosts))('CORS over %s', (name) => {
  // Inside another server, an app without rules leaves them to that server. The other hosts apply the same rules.
  const some = new Set(['nothing', 'a list', 'credentials and a header']);
  const own = rules.filter(({ cors, title }) =>
    name === 'fetch' ? cors !== undefined : size(0, 1) === 1 || some.has(title),
  );

  it.each(own)(proves('http.cors', 'pages can do what is allowed, and nothing else: $title'), async (rule) => {
    const host = await hosts[name]!(pageApp(rule.cors), undefined);
    const mistakes: string[] = [];
    let count = 0;
    for (const { given, request, kind, credentials } of pages(name, rule)) {
      const origin = given === OWN ? host.origin : given;
      const isForeign = origin !== undefined && given !== OWN;
      const isAllowed = !isForeign || rule.allows === 'all' || rule.allows.includes(origin);
      const sent: readonly string[] = headers[kind];
      const { can, replies } = await asBrowser(host, request, { origin, sent, credentials });
      count++;
      const complain = (text: string) =>
        mistakes.push(`${origin} ${request.method} ${request.path} ${kind} ${credentials}: ${text}`);

      const isPermitted = isAllowed && (!isForeign || !credentials || rule.credentials === true);
      const maySend = sent.every((one) => [...headers.known, ...(rule.headers ?? [])].includes(one));
      const isAsked = isForeign && (sent.length > 0 || request.type?.endsWith('json') || request.method === 'DELETE');
      const expected = isPermitted && (!isForeign || maySend) && !(isAsked && request.preflight) ? 'read' : 'not';
      if (!can.startsWith(expected)) complain(`can ${can}`);
      if (expected === 'not' && isAsked && can !== 'not send') complain('was sent');

      for (const reply of replies) {
        if ((reply.status === 403) === isAllowed) complain(`status ${reply.status}`);
        const hasAccess = rule.allows === 'all' || (isForeign && isAllowed);
        if (access(reply).length > 0 !== hasAccess) complain(`has ${access(reply).join()}`);
        const mustVary = rule.allows !== 'all' && (rule.cors !== undefined || !isAllowed);
        if (varies(reply) !== mustVary) complain(`Vary: ${reply.headers.get('vary')}`);
      }
      const reply = replies.at(-1)!;
      if (can !== 'not send' && name !== 'cgi' && isAllowed && reply.status !== request.status)
        complain(`status ${reply.status}`);
      if (can === 'read' && isForeign) {
        const exposed = reply.headers.get('access-control-expose-headers')?.split(', ') ?? [];
        const hidden = [...reply.headers.keys()].filter(
          (one) => !ALWAYS.has(one) && !exposed.includes(one) && !one.startsWith('access-control-'),
        );
        if (hidden.length > 0) complain(`cannot read ${hidden.join()}`);
      }
      const [preflight] = replies;
      if (replies.length === 2 && preflight?.headers.get('access-control-max-age') !== (rule.maxAge ?? '600'))
        complain('wrong max age');
    }
    await host.close();
    expect(mistakes).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });

  it(proves('http.cors', 'with cors: "outer", no origin is refused, and no header of CORS is sent'), async () => {
    const host = await hosts[name]!(
      pageApp(name === 'fetch' ? undefined : { origins: ['https://app.example'] }),
      'outer',
    );
    for (const origin of ['https://app.example', 'https://evil.example', 'null']) {
      for (const request of pageRequests) {
        const { replies } = await asBrowser(host, request, { origin, sent: [], credentials: false });
        for (const reply of replies) {
          // What pages can post without a preflight request, nobody was asked about.
          const isSimple = request.method === 'POST' && request.type !== 'application/json';
          expect(reply.status === 403 && reply === replies.at(-1)).toBe(isSimple && replies.length === 1);
          expect(access(reply)).toEqual([]);
        }
      }
    }
    await host.close();
  });

  it(proves('http.cors', 'OPTIONS without a preflight request returns Allow, and 404 for no path'), async () => {
    const host = await hosts[name]!(pageApp({ origins: ['https://app.example'] }), undefined);
    const ask = (path: string) =>
      host.send(new Request(host.origin + path, { method: 'OPTIONS', headers: { origin: 'https://app.example' } }));
    const reply = await ask('/functions/Add');
    expect([reply.status, reply.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    expect(access(reply).toSorted()).toEqual(['access-control-allow-origin', 'access-control-expose-headers']);
    expect((await ask('/functions/Nope')).status).toBe(404);
    await host.close();
  });
});

describe('the server has rules of its own', () => {
  const allowed = async (app: App, cors: Parameters<typeof serve>[1] & {}, origin: string) => {
    const { url, drain } = await serve(app, { port: 0, ...cors });
    const response = await fetch(`${url}/functions/Add`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    await drain();
    const at = (name: string) => response.headers.get(`access-control-${name}`);
    return `${response.status} ${at('allow-origin')} ${at('allow-credentials')} ${at('max-age')}`;
  };
  const app = pageApp({ origins: ['https://app.example'], credentials: true, maxAge: 5 });

  it(proves('http.cors', 'each of its fields replaces that of the app'), async () => {
    const own = { cors: { origins: ['https://other.example'], credentials: undefined } };
    expect(await allowed(app, own, 'https://other.example')).toBe('204 https://other.example true 5');
    expect(await allowed(app, own, 'https://app.example')).toBe('403 null null null');
    expect(await allowed(app, { cors: { maxAge: 7 } }, 'https://app.example')).toBe('204 https://app.example true 7');
    expect(await allowed(pageApp(undefined), own, 'https://other.example')).toBe('204 https://other.example null 600');
  });

  it(proves('http.cors-mistakes', 'mistakes are named before it listens'), async () => {
    await expect(serve(app, { port: 0, cors: { origins: ['app.example'] } })).rejects.toThrow(
      'cors.origins: "app.example" is not an origin that browsers send; write "https://app.example"',
    );
    await expect(serve(app, { port: 0, cors: { origins: '*' } })).rejects.toThrow('cors.credentials needs a list');
    await expect(serve(app, { port: 0, cors: true as never })).rejects.toThrow('cors must be an object');
  });
});

const problemsOfOrigins = (...given: unknown[]) => problemsOf({ cors: { origins: given } });

describe('origins that can be allowed', () => {
  const named = ['https://app.example', 'https://xn--bcher-kva.example', 'http://localhost:5173', 'http://[::1]:3000'];
  const wild = ['*', 'https://*.app.example', 'https://*.app.example:8443', 'http://*.localhost:5173'];
  const extension = 'chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb';
  const apps = ['http://127.0.0.1:8080', 'tauri://localhost', 'capacitor://localhost', extension];
  it.each([...named, ...wild, ...apps])(proves('http.cors', '%s'), (origin) => {
    expect(problemsOf({ cors: { origins: origin } })).toEqual([]);
    expect(problemsOfOrigins(origin)).toEqual([]);
  });

  it.each<[given: string, right: string]>([
    ['app.example', 'https://app.example'],
    ['app.example:8443', 'https://app.example:8443'],
    ['//app.example', 'https://app.example'],
    ['localhost', 'http://localhost'],
    ['localhost:5173', 'http://localhost:5173'],
    ['one.localhost:5173', 'http://one.localhost:5173'],
    ['127.0.0.1:5173', 'http://127.0.0.1:5173'],
    ['[::1]:5173', 'http://[::1]:5173'],
    ['*.app.example', 'https://*.app.example'],
    ['https://app.example/', 'https://app.example'],
    ['https://app.example/page?x=1#y', 'https://app.example'],
    ['https://user:secret@app.example', 'https://app.example'],
    ['HTTPS://App.Example', 'https://app.example'],
    ['https://app.example:443', 'https://app.example'],
    ['http://app.example:80', 'http://app.example'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['wss://app.example', 'https://app.example'],
    ['ws://localhost:5173', 'http://localhost:5173'],
    ['tauri://localhost/', 'tauri://localhost'],
  ])(proves('http.cors-mistakes', '%s is named with the right spelling, %s'), (given, spelling) => {
    expect(problemsOfOrigins(given)).toEqual([
      `cors.origins: ${JSON.stringify(given)} is not an origin that browsers send; write "${spelling}"`,
    ]);
    expect(problemsOfOrigins(spelling)).toEqual([]);
  });

  const WRITE = 'write a scheme and a host, such as "https://app.example" or "http://localhost:5173"';
  const NO_URLS = ['', ' ', 'https://', 'https://app example', 'http://localhost:*'];
  const NO_ORIGINS = [...NO_URLS, 'file:///index.html', 'https://a.b, https://c.d'];
  const WILD = ['https://*', 'https://app.*.example', 'https://app*.example.com', 'https://*.*.example.com'];
  const ONLY = 'only "*" alone, or subdomains as in "https://*.app.example", can be allowed';
  it.each<[given: unknown, problem: string]>([
    ['null', '"null" is the origin of sandboxed pages of every site; write "*" if all may call'],
    [
      'https://*.com',
      '"https://*.com" would allow every site in .com; name a domain of your own, as in "https://*.app.com"',
    ],
    ...WILD.map((given): [string, string] => [given, `"${given}": ${ONLY}`]),
    ...NO_ORIGINS.map((given): [string, string] => [given, `"${given}" is not an origin; ${WRITE}`]),
    [/example/, 'expected a string, not object'],
    [1n, 'expected a string, not bigint'],
    [null, 'expected a string, not object'],
  ])(proves('http.cors-mistakes', '%s is refused'), (given, problem) => {
    expect(problemsOfOrigins(given)).toEqual([`cors.origins: ${problem}`]);
  });
});

describe('the other fields', () => {
  const NO_HEADERS = 'cors.headers must be a list of header names, such as ["X-Tenant"]';
  const SECONDS = 'cors.maxAge must be a whole number of seconds, 0 or more';
  const WILD = 'cors.credentials needs a list of origins: with "*", any page could act as the user';
  it.each<[title: string, cors: unknown, problems: string[]]>([
    ['nothing', {}, []],
    ['all of them', { origins: ['https://a.example'], headers: ['X-Tenant'], credentials: true, maxAge: 0 }, []],
    ['fields that are undefined', { origins: undefined, headers: undefined, maxAge: undefined }, []],
    ['no object', true, ['cors must be an object, such as { origins: ["https://app.example"] }']],
    ['a list', ['https://a.example'], ['cors must be an object, such as { origins: ["https://app.example"] }']],
    ['a name of other frameworks', { origin: '*' }, ['cors: unknown option "origin" (did you mean "origins"?)']],
    ['another one', { methods: ['GET'] }, ['cors: unknown option "methods"']],
    ['everybody, with credentials', { origins: '*', credentials: true }, [WILD]],
    ['everybody in a list, with credentials', { origins: ['https://a.example', '*'], credentials: true }, [WILD]],
    ['credentials of a wrong type', { credentials: 'include' }, ['cors.credentials must be true or false']],
    ['one header', { headers: 'X-Tenant' }, [NO_HEADERS]],
    ['all headers', { headers: ['*'] }, [NO_HEADERS]],
    ['several headers in one', { headers: ['X-One, X-Two'] }, [NO_HEADERS]],
    ['a header with a line break', { headers: ['X-One\r\nX-Two'] }, [NO_HEADERS]],
    ['a header with a line break at the end', { headers: ['X-One\n'] }, [NO_HEADERS]],
    ['a negative time', { maxAge: -1 }, [SECONDS]],
    ['half a second', { maxAge: 0.5 }, [SECONDS]],
    ['a time with a unit', { maxAge: '10m' }, [SECONDS]],
    ['several mistakes', { origins: ['null'], maxAge: Infinity, headers: {} }, ['n', NO_HEADERS, SECONDS]],
  ])(proves('http.cors-mistakes', '%s'), (_title, cors, problems) => {
    const found = problemsOf({ cors });
    expect(found).toHaveLength(problems.length);
    for (const [i, problem] of problems.entries()) if (problem.length > 1) expect(found[i]).toBe(problem);
  });
});
