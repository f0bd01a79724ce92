import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Copyable } from './copy.tsx';
import { askJson, base } from './server.ts';
import type { AppFacts } from './types.ts';

interface Configuration {
  readonly client: string;
  readonly file: string;
  readonly text: string;
}

/** How MCP clients find this app. */
export function Connect({ app }: { readonly app: AppFacts }): JSX.Element {
  const [found, setFound] = useState<readonly Configuration[]>([]);
  useEffect(() => {
    if (app.mayWatch)
      askJson<{ configurations: Configuration[] }>('console/api/configurations').then(
        ({ configurations }) => setFound(configurations),
        () => {},
      );
  }, [app]);
  return (
    <section class="connect">
      <h1>Connect</h1>
      <p class="lead">Addresses for programs, and what to put into the configuration of an MCP client.</p>
      <dl class="facts">
        <dt>HTTP</dt>
        <dd>
          <code>{base}functions/…</code>
        </dd>
        <dt>OpenAPI</dt>
        <dd>
          <a href={`${base}openapi.json`}>{base}openapi.json</a>
        </dd>
        <dt>MCP over HTTP</dt>
        <dd>
          <code>{base}mcp</code>
        </dd>
      </dl>
      {found.map(({ client, file, text }) => (
        <section key={client}>
          <h2>{client}</h2>
          <p class="muted">{file}</p>
          <Copyable text={text} label={`the configuration for ${client}`} />
        </section>
      ))}
      {found.length === 0 && (
        <p class="muted">
          Snippets for clients that start the app themselves are here if “everywire serve” loaded it from a module.
        </p>
      )}
    </section>
  );
}
