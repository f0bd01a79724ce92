import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ArgumentInput } from './argument-input.tsx';
import { request } from './rpc.ts';

interface Resource {
  readonly uri?: string;
  readonly uriTemplate?: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

interface Contents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

/** What can be read: fixed addresses, and templates with variables. */
export function Resources(): JSX.Element {
  const [found, setFound] = useState<readonly Resource[] | Error | undefined>(undefined);
  useEffect(() => {
    Promise.all([
      request<{ resources: Resource[] }>('resources/list', {}),
      request<{ resourceTemplates: Resource[] }>('resources/templates/list', {}),
    ]).then(([{ resources }, { resourceTemplates }]) => setFound([...resources, ...resourceTemplates]), setFound);
  }, []);
  return (
    <section class="resources">
      <h1>Resources</h1>
      {!found && (
        <p class="empty" role="status">
          Loading…
        </p>
      )}
      {found instanceof Error && (
        <p class="problem" role="alert">
          {found.message}
        </p>
      )}
      {Array.isArray(found) && found.length === 0 && <p class="empty">This app has no resources.</p>}
      <ul class="cards">
        {Array.isArray(found) &&
          (found as readonly Resource[]).map((one) => <Card key={one.uri ?? one.uriTemplate} resource={one} />)}
      </ul>
    </section>
  );
}

function Card({ resource }: { readonly resource: Resource }): JSX.Element {
  const { uri, uriTemplate = '', name, title, description, mimeType } = resource;
  const [contents, setContents] = useState<readonly Contents[] | Error | undefined>(undefined);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const names = [...uriTemplate.matchAll(/\{[+#./;?&]?([^}]*)\}/g)].flatMap(([, list = '']) => list.split(','));
  const address =
    uri ?? uriTemplate.replaceAll(/\{\+?(\w+)\}/g, (_, key: string) => encodeURIComponent(values[key] ?? ''));
  const read = () =>
    request<{ contents: Contents[] }>('resources/read', { uri: address }).then(
      (it) => setContents(it.contents),
      setContents,
    );
  return (
    <li class="card">
      <h2>{title ?? name}</h2>
      <p class="muted">
        <code>{uri ?? uriTemplate}</code> {mimeType}
      </p>
      {description && <p>{description}</p>}
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          void read();
        }}
      >
        {names.map((key) => (
          <ArgumentInput
            key={key}
            reference={{ type: 'ref/resource', uri: uriTemplate }}
            name={key}
            value={values[key] ?? ''}
            onChange={(value) => setValues({ ...values, [key]: value })}
          />
        ))}
        <button type="submit">Read</button>
      </form>
      {contents instanceof Error && (
        <p class="problem" role="alert">
          {contents.message}
        </p>
      )}
      {Array.isArray(contents) &&
        (contents as readonly Contents[]).map((one) => <Preview key={one.uri} contents={one} />)}
    </li>
  );
}

function Preview({ contents: { text, blob = '', mimeType = '', uri } }: { readonly contents: Contents }): JSX.Element {
  if (text !== undefined)
    return (
      <pre class="code" tabIndex={0} aria-label={uri}>
        {text.slice(0, 100_000)}
      </pre>
    );
  if (/^image\/(?:png|jpeg|gif|webp|avif)$/.test(mimeType))
    return <img class="picture" src={`data:${mimeType};base64,${blob}`} alt={uri} />;
  return (
    <p class="muted">
      {mimeType}, {Math.floor((blob.length * 3) / 4)} bytes
    </p>
  );
}
