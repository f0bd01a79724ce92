import { fileURLToPath } from 'node:url';
import { command } from '../measure/everywire.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** A POST of JSON. */
const post = (path) => (input) => [
  path,
  { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) },
];

/** A tRPC query or subscription. */
const query = (path) => (input) => [`${path}?input=${encodeURIComponent(JSON.stringify(input))}`, {}];

const ndjson = (request) => (input) => {
  const [path, init] = request(input);
  return [path, { ...init, headers: { ...init.headers, accept: 'application/x-ndjson' } }];
};

const same = (body) => body;
const serve = (module) => (port) => [command, 'serve', here(module), '--port', String(port)];

/** Every file in `files` is counted once for a framework, with the first task that needs it. The last one is run. */
function way(files, settings) {
  const paths = files.map(here);
  return { files: paths, run: () => [paths.at(-1)], unwrap: same, ...settings };
}

const everywire = {
  name: 'everywire',
  packages: [],
  ways: {
    http: way(['everywire/quote.mjs'], {
      run: serve('everywire/quote.mjs'),
      request: post('/functions/Quote'),
      unwrap: ({ result }) => result,
      note: '`everywire serve quote.mjs`; an OpenAPI document comes with it',
    }),
    mcp: way(['everywire/quote.mjs'], {
      run: () => [command, 'mcp', here('everywire/quote.mjs')],
      tool: 'functions.Quote',
      unwrap: ({ result }) => result,
      note: '`everywire mcp quote.mjs`, or `/mcp` of the server above',
    }),
    cli: way(['everywire/quote.mjs'], {
      run: () => [command, 'call', here('everywire/quote.mjs'), 'Quote'],
      note: '`everywire call quote.mjs Quote --product tea --quantity 3`',
    }),
    stream: way(['everywire/report.mjs'], {
      run: serve('everywire/report.mjs'),
      request: ndjson(post('/functions/Report')),
      note: 'NDJSON or server-sent events; the same rows reach MCP and the command line',
    }),
    upload: way(['everywire/picture.mjs'], {
      run: serve('everywire/picture.mjs'),
      path: '/functions/SetPicture',
      unwrap: ({ result }) => result,
      note: 'also `--picture @tea.png` on the command line',
    }),
    lifecycle: way(['everywire/stock.mjs'], {
      run: serve('everywire/stock.mjs'),
      request: post('/functions/Stock'),
      unwrap: ({ result }) => result,
      note: 'on every wire, one-shot commands included',
    }),
  },
};

const incur = {
  name: 'incur',
  packages: ['incur', '@hono/node-server'],
  remark: 'Its package asks for Node.js 22; these programs also run on 20.',
  ways: {
    http: way(['incur/quote.mjs', 'incur/http.mjs'], {
      request: post('/quote'),
      unwrap: ({ data }) => data,
      note: 'its `fetch` handler behind `@hono/node-server`; Bun and Deno serve it as it is',
    }),
    mcp: way(['incur/quote.mjs', 'incur/cli.mjs'], {
      run: () => [here('incur/cli.mjs'), '--mcp'],
      tool: 'quote',
      note: '`node cli.mjs --mcp`; by default, clients see a search of the commands instead of the commands',
    }),
    cli: way(['incur/quote.mjs', 'incur/cli.mjs'], {
      run: () => [here('incur/cli.mjs'), 'quote'],
      note: '`node cli.mjs quote --product tea --quantity 3`',
    }),
    stream: way(['incur/report.mjs'], { request: post('/report'), note: 'NDJSON' }),
    upload: {
      cannot:
        'arguments come from the path, the query or a JSON body; for a file, put a route of another framework, such as Hono, next to its `fetch` handler',
    },
    lifecycle: way(['incur/stock.mjs'], {
      request: post('/stock'),
      unwrap: ({ data }) => data,
      note: 'by hand, around the HTTP server; a command of the same program would need it, too',
    }),
  },
};

const fastmcp = {
  name: 'FastMCP',
  packages: ['fastmcp', '@hono/zod-validator', 'commander'],
  ways: {
    http: way(['fastmcp/quote.mjs', 'fastmcp/http.mjs'], {
      request: post('/quote'),
      note: 'a [custom route](https://github.com/punkpeye/fastmcp#custom-http-routes) of the Hono app inside, with `@hono/zod-validator`',
    }),
    mcp: way(['fastmcp/quote.mjs', 'fastmcp/mcp.mjs'], { tool: 'quote' }),
    cli: way(['fastmcp/quote.mjs', 'fastmcp/cli.mjs'], {
      run: () => [here('fastmcp/cli.mjs'), 'quote'],
      note: 'by hand, with `commander`',
    }),
    stream: way(['fastmcp/report.mjs'], {
      tool: 'report',
      note: 'over MCP, in [a notification of its own](https://github.com/punkpeye/fastmcp#streaming-output)',
    }),
    upload: way(['fastmcp/picture.mjs'], {
      path: '/picture',
      note: 'a custom route, as above: MCP itself has no uploads',
    }),
    lifecycle: way(['fastmcp/stock.mjs'], {
      mcpPath: '/mcp',
      tool: 'stock',
      note: 'by hand, and `stateless`: otherwise `stop()` ends the session, and the call under way gets no answer',
    }),
  },
};

const hono = {
  name: 'Hono',
  packages: ['hono', '@hono/node-server', '@hono/zod-validator', '@hono/mcp', '@modelcontextprotocol/sdk', 'commander'],
  ways: {
    http: way(['hono/quote.mjs', 'hono/http.mjs'], { request: post('/quote'), note: 'with `@hono/zod-validator`' }),
    mcp: way(['hono/quote.mjs', 'hono/mcp.mjs'], {
      mcpPath: '/mcp',
      tool: 'quote',
      note: 'with `@hono/mcp` and the MCP SDK',
    }),
    cli: way(['hono/quote.mjs', 'hono/cli.mjs'], {
      run: () => [here('hono/cli.mjs'), 'quote'],
      note: 'by hand, with `commander`',
    }),
    stream: way(['hono/report.mjs'], { request: post('/report'), note: 'server-sent events' }),
    upload: way(['hono/picture.mjs'], { path: '/picture' }),
    lifecycle: way(['hono/stock.mjs'], { request: post('/stock'), note: 'by hand, around the HTTP server' }),
  },
};

const trpc = {
  name: 'tRPC',
  packages: ['@trpc/server', '@modelcontextprotocol/sdk', 'trpc-cli'],
  ways: {
    http: way(['trpc/quote.mjs', 'trpc/http.mjs'], {
      request: query('/quote'),
      unwrap: ({ result }) => result.data,
      note: 'in the protocol of tRPC',
    }),
    mcp: way(['trpc/quote.mjs', 'trpc/mcp.mjs'], {
      tool: 'quote',
      note: 'by hand, with the MCP SDK; `trpc-to-mcp` 1.3.2 has peers that cannot be installed together with a current SDK',
    }),
    cli: way(['trpc/quote.mjs', 'trpc/cli.mjs'], {
      run: () => [here('trpc/cli.mjs'), 'quote'],
      note: 'with `trpc-cli`',
    }),
    stream: way(['trpc/report.mjs'], { request: query('/report'), note: 'a subscription, as server-sent events' }),
    upload: way(['trpc/picture.mjs'], { path: '/picture', unwrap: ({ result }) => result.data }),
    lifecycle: way(['trpc/stock.mjs'], {
      request: query('/stock'),
      unwrap: ({ result }) => result.data,
      note: 'by hand, around the HTTP server',
    }),
  },
};

export const frameworks = [everywire, incur, fastmcp, hono, trpc];
