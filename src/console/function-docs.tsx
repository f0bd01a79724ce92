import type { JSX } from 'preact';
import { tokensOf } from './format.ts';
import { route } from './route.ts';
import { SchemaTree } from './schema-tree.tsx';
import type { Details } from './types.ts';

/** What there is to know about a function before it is called. */
export function FunctionDocs({ fn }: { readonly fn: Details }): JSX.Element {
  return (
    <section class="docs">
      <section class="arguments">
        {/* The form says the same; beside JSON, this is the only place that does. */}
        <details open={route.value.query.get('json') === '1'}>
          <summary>
            <h2>Arguments</h2>
          </summary>
          <SchemaTree schema={fn.inputSchema} />
        </details>
      </section>
      <section>
        <h2>{fn.isSeveral ? 'Results' : 'Result'}</h2>
        {fn.outputs.length === 0 && <p class="muted">Nothing is returned.</p>}
        {fn.outputs.map((schema, i) => (
          <SchemaTree key={i} schema={schema} />
        ))}
      </section>
      {fn.streams && (
        <section>
          <h2>Streamed before that</h2>
          <SchemaTree schema={fn.streams} />
        </section>
      )}
      <section>
        <h2>Errors</h2>
        {fn.errors.length === 0 ? (
          <p class="muted">None of its own.</p>
        ) : (
          <table>
            <thead>
              <tr>
                <th>Code</th>
                <th class="number">Status</th>
                <th class="number">Exit</th>
                <th>When</th>
              </tr>
            </thead>
            <tbody>
              {fn.errors.map(({ code, status, exit, when }) => (
                <tr key={code}>
                  <td>
                    <code>{code}</code>
                  </td>
                  <td class="number">{status}</td>
                  <td class="number">{exit}</td>
                  <td>{when}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      <section>
        <h2>Facts</h2>
        <dl class="facts">
          <dt>Path</dt>
          <dd>
            <code>
              {fn.http.method} {fn.http.path}
            </code>
          </dd>
          <dt>Tool</dt>
          <dd>
            <code>{fn.operationId}</code>
          </dd>
          <dt>Tokens</dt>
          <dd title="Its definition in tools/list, four characters to a token">≈ {tokensOf(fn.tool)}</dd>
          {fn.scopes !== undefined && (
            <>
              <dt>Scopes</dt>
              <dd>{typeof fn.scopes === 'string' ? fn.scopes : fn.scopes.join(', ') || 'any known caller'}</dd>
            </>
          )}
        </dl>
      </section>
    </section>
  );
}
