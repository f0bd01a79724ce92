import type { App } from '../app/app.ts';
import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import type { ConsoleOptions } from './console-options.ts';
import type { HttpReply, HttpRequest } from '../wires/http/message.ts';
import { isSameOrigin } from '../wires/http/origin.ts';
import { decodeSegment } from '../wires/http/path-tree.ts';
import { methodNotAllowed, noSuchPath } from '../wires/http/refusals.ts';
import { createAdmission } from './admission.ts';
import { createCatalogue } from './catalogue.ts';
import { configurationsOf } from './configurations.ts';
import { RecordStream } from './record-stream.ts';
import { createStaticFiles } from './static-files.ts';

type Reply = HttpReply | Failed;

/** What is below `/console/`: the page, and what it asks in addition to what everybody may. */
export interface Console {
  handle(path: string, request: HttpRequest): Promise<Reply>;
  /** Ends the streams that would never end, and the processes of a comparison. */
  close(): Promise<void>;
}

/** `mayStart`: whether the sender of a request may know how the app is started, and have it started. */
export function createConsole(app: App, options: ConsoleOptions, mayStart: (request: HttpRequest) => boolean): Console {
  const files = createStaticFiles();
  const { identify, admit } = createAdmission(app);
  const catalogue = createCatalogue(app);
  const records = new RecordStream(app);
  const closing = new AbortController();
  const optionsFor = (request: HttpRequest): ConsoleOptions => (mayStart(request) ? options : {});

  type Endpoint = readonly [method: string, respond: (request: HttpRequest, rest: string) => Promise<Reply>];
  const endpoints: Readonly<Record<string, Endpoint>> = {
    catalogue: [
      'GET',
      async (request) => {
        const shown = await identify(request);
        if ('ok' in shown) return shown;
        const isAdmitted = !(await admit(request));
        if (isAdmitted) records.begin();
        return json(catalogue.list(shown, isAdmitted, optionsFor(request)));
      },
    ],
    function: [
      'GET',
      async (request, rest) => {
        const shown = await identify(request);
        return 'ok' in shown ? shown : jsonOf(catalogue.find(shown, decodeSegment(rest) ?? rest));
      },
    ],
    configurations: [
      'GET',
      async (request) => (await admit(request)) ?? json(configurationsOf(app, optionsFor(request))),
    ],
    events: [
      'GET',
      async (request) => (await admit(request)) ?? records.reply(request, async () => !(await admit(request))),
    ],
    compare: [
      'POST',
      async (request) =>
        (await admit(request)) ??
        (await import('./compare.ts')).compare(app, optionsFor(request), request, closing.signal),
    ],
  };

  return {
    async handle(path, request) {
      const { method } = request;
      if (path === '/') return redirect(`${request.folder ?? ''}console/`);
      if (path === '/console') return redirect('console/');
      const name = path.slice('/console/'.length);
      if (!name.startsWith('api/')) {
        if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed(method, 'GET, HEAD');
        return (await files(name || 'index.html', request)) ?? noSuchPath(path);
      }
      const [, first = '', ...rest] = name.split('/');
      const [allowed, respond] = (Object.hasOwn(endpoints, first) ? endpoints[first] : undefined) ?? [];
      if (!respond) return noSuchPath(path);
      return method === allowed
        ? (refuseForeign(request) ?? respond(request, rest.join('/')))
        : methodNotAllowed(method, allowed!);
    },
    close() {
      closing.abort();
      return records.close();
    },
  };
}

/** Only the page itself: a page that may call functions (CORS) may not watch the server, nor start processes. */
function refuseForeign(request: HttpRequest): Failed | undefined {
  const { headers } = request;
  const site = headers['sec-fetch-site'];
  const isOwn =
    (site === undefined || site === 'same-origin') && (!headers['origin'] || isSameOrigin(headers, request));
  return isOwn ? undefined : refuse('FORBIDDEN', 'Only the page of the console may ask for this');
}

/** Relative, so that it leads below whatever path a proxy adds. */
const redirect = (location: string): HttpReply => ({
  status: 302,
  headers: { location, vary: 'Accept', 'cache-control': 'no-store' },
  body: '',
});

const jsonOf = (found: object | Failed): Reply => ('ok' in found ? found : json(found));

const json = (value: object): HttpReply => ({
  status: 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
  body: JSON.stringify(value),
});
