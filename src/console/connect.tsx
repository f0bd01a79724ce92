import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Copyable } from './copy.tsx';
import { remember, route } from './route.ts';
import { askJson, base } from './server.ts';
import type { AppFacts } from './types.ts';

/** How a client starts the app, as the server knows it. */
interface Configuration {
  readonly client: string;
  readonly file: string;
  readonly text: string;
}

interface Client {
  readonly name: string;
  readonly label: string;
  readonly file: string;
  /** The key that lists the servers. */
  readonly key: string;
  /** Fields of an entry with a URL; undefined if the file has no such entries. */
  readonly remote: object | undefined;
  /** Whether it rejects the whole list of tools if one name has a dot. */
  readonly rejectsDots?: boolean;
}

/** The page writes the entries with a URL, because only the browser knows the address behind proxies. */
const CLIENTS: readonly Client[] = [
  {
    name: 'claude-code',
    label: 'Claude Code',
    file: '.mcp.json',
    key: 'mcpServers',
    remote: { type: 'http' },
    rejectsDots: true,
  },
  { name: 'claude-desktop', label: 'Claude Desktop', file: '', key: '', remote: undefined },
  { name: 'vscode', label: 'VS Code', file: '.vscode/mcp.json', key: 'servers', remote: { type: 'http' } },
  { name: 'cursor', label: 'Cursor', file: '.cursor/mcp.json', key: 'mcpServers', remote: {} },
  {
    name: 'generic',
    label: 'Other',
    file: 'the configuration of your MCP client',
    key: 'mcpServers',
    remote: { type: 'http' },
  },
];

/** How programs and MCP clients find this app: by its address, or by a command that starts it. */
export function Connect({ app }: { readonly app: AppFacts }): JSX.Element {
  const [found, setFound] = useState<readonly Configuration[] | Error>([]);
  useEffect(() => {
    if (app.mayWatch)
      askJson<{ configurations: Configuration[] }>('console/api/configurations').then(
        ({ configurations }) => setFound(configurations),
        setFound,
      );
  }, [app]);
  const client = CLIENTS.find(({ name }) => name === route.value.query.get('client')) ?? CLIENTS[0]!;
  return (
    <section class="connect">
      <h1>Connect</h1>
      <dl class="facts">
        <dt>HTTP</dt>
        <dd>
          <code>{base}functions/…</code>
        </dd>
        <dt>OpenAPI</dt>
        <dd>
          <a href={`${base}openapi.json`}>{base}openapi.json</a>
        </dd>
        <dt>MCP</dt>
        <dd>
          <code>{base}mcp</code>
        </dd>
      </dl>
      <div class="tabs" role="group" aria-label="MCP client">
        {CLIENTS.map(({ name, label }) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === client.name}
            onClick={() => remember({ client: name })}
          >
            {label}
          </button>
        ))}
      </div>
      <section class="card" aria-label="By URL">
        <h2>By URL</h2>
        <ByUrl client={client} app={app} />
      </section>
      <section class="card" aria-label="On stdio">
        <h2>On stdio</h2>
        {found instanceof Error ? (
          <p class="problem" role="alert">
            {found.message}
          </p>
        ) : (
          <OnStdio client={client} app={app} found={found.find((one) => one.client === client.name)} />
        )}
      </section>
    </section>
  );
}

function ByUrl({ client, app }: { readonly client: Client; readonly app: AppFacts }): JSX.Element {
  const { label, file, key, remote, rejectsDots } = client;
  if (!remote)
    return (
      <p class="muted">
        The file of {label} has no entries with a URL. Add <code>{base}mcp</code> as a connector in its settings, or let
        it start the app on stdio.
      </p>
    );
  const name =
    app.name
      .replaceAll(/[^A-Za-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .toLowerCase() || 'app';
  const headers = { Authorization: 'Bearer <token>' };
  const entry = { ...remote, url: `${base}mcp`, ...(app.hasAccess && { headers }) };
  return (
    <>
      <p class="muted">The client calls this server, which must be running. For {file}:</p>
      <Copyable
        text={JSON.stringify({ [key]: { [name]: entry } }, null, 2)}
        label={`the configuration of ${label} by URL`}
      />
      {rejectsDots && app.hasDots && (
        <p class="muted">
          {label} rejects tool names with a dot, which this app has: set <code>names: 'portable'</code> in createApp.
        </p>
      )}
    </>
  );
}

function OnStdio(props: {
  readonly client: Client;
  readonly app: AppFacts;
  readonly found: Configuration | undefined;
}): JSX.Element {
  const { client, app, found } = props;
  if (found)
    return (
      <>
        <p class="muted">The client starts the app on this machine. For {found.file}:</p>
        <Copyable text={found.text} label={`the configuration of ${client.label} on stdio`} />
      </>
    );
  return (
    <p class="muted">
      {app.mayWatch
        ? 'Shown where “everywire serve” loaded the app from a module, on the machine where it runs.'
        : 'Shown to callers with the scope everywire:console.'}
    </p>
  );
}
