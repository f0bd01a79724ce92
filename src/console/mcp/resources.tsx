import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ArgumentForm } from './argument-form.tsx';
import { Each, Listed } from './listed.tsx';
import type { Loaded } from './listed.tsx';
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

/** A variable in the address of a resource: everywire has no other ones. */
const VARIABLE = /\{(\w+)\}/g;

/** What can be read: fixed addresses, and templates with variables. */
export function Resources(): JSX.Element {
  return (
    <Listed
      heading="Resources"
      load={loadResources}
      card={(one) => <Card key={one.uri ?? one.uriTemplate} resource={one} />}
    />
  );
}

async function loadResources(): Promise<readonly Resource[]> {
  const [{ resources }, { resourceTemplates }] = await Promise.all([
    request<{ resources: Resource[] }>('resources/list', {}),
    request<{ resourceTemplates: Resource[] }>('resources/templates/list', {}),
  ]);
  return [...resources, ...resourceTemplates];
}

function Card({ resource }: { readonly resource: Resource }): JSX.Element {
  const { uri, uriTemplate = '', name, title, description, mimeType } = resource;
  const [contents, setContents] = useState<Loaded<Contents>>(undefined);
  const variables = [...uriTemplate.matchAll(VARIABLE)].map(([, key = '']) => ({ name: key }));
  const read = (values: Readonly<Record<string, string>>) => {
    const filled = uriTemplate.replaceAll(VARIABLE, (_, key: string) => encodeURIComponent(values[key] ?? ''));
    return request<{ contents: Contents[] }>('resources/read', { uri: uri ?? filled }).then(
      (it) => setContents(it.contents),
      setContents,
    );
  };
  return (
    <li class="card">
      <h2>{title ?? name}</h2>
      <p class="muted">
        <code>{uri ?? uriTemplate}</code> {mimeType}
      </p>
      {description && <p>{description}</p>}
      <ArgumentForm
        arguments={variables}
        reference={{ type: 'ref/resource', uri: uriTemplate }}
        button="Read"
        onSubmit={(values) => void read(values)}
      />
      <Each of={contents} show={(one) => <Preview key={one.uri} contents={one} />} />
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
