import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { FORM_KEYWORD, isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';

/** Longer bodies are only shown as text. */
const LONGEST = 20_000_000;

/** Content blocks and files in an answer, as what they are: pictures are shown, sound is played. */
export function Rendered({
  body,
  outputs,
}: {
  readonly body: string;
  readonly outputs: readonly JsonSchema[];
}): JSX.Element | null {
  const form = outputs[0]?.[FORM_KEYWORD] ?? (outputs[0]?.items as JsonSchema | undefined)?.[FORM_KEYWORD];
  const blocks = useMemo(() => (form === 'content' || form === 'file' ? blocksIn(body, form) : []), [body, form]);
  if (blocks.length === 0) return null;
  return (
    <div class="rendered">
      {blocks.map((block, i) => (
        <Block key={i} block={block} />
      ))}
    </div>
  );
}

type Known = Readonly<Record<string, unknown>>;

function blocksIn(body: string, form: string): readonly Known[] {
  if (body.length > LONGEST) return [];
  try {
    const parsed = JSON.parse(body) as Known;
    const data = parsed['result'] ?? parsed['data'] ?? parsed['content'] ?? parsed;
    if (form === 'content') return (Array.isArray(data) ? data : [data]).filter(isRecord);
    return isRecord(data) ? [{ type: 'file', mimeType: data['type'], data: data['data'], name: data['name'] }] : [];
  } catch {
    return [];
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** Only as data, and only of a type that cannot contain a script. */
function dataUrl({ mimeType, data }: Known, allowed: RegExp): string | undefined {
  const isSafe = allowed.test(text(mimeType)) && /^[\w+/=-]*$/.test(text(data));
  return isSafe ? `data:${text(mimeType)};base64,${text(data)}` : undefined;
}

function Block({ block }: { readonly block: Known }): JSX.Element | null {
  const { type } = block;
  const picture = dataUrl(block, /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/);
  const sound = dataUrl(block, /^audio\/[\w.+-]+$/);
  if (picture !== undefined)
    return <img class="picture" src={picture} alt={text(block['name']) || 'The picture of the answer'} />;
  if (sound !== undefined) return <audio controls src={sound} aria-label="The sound of the answer" />;
  if (type === 'text') return <pre class="prose">{text(block['text']).slice(0, 100_000)}</pre>;
  if (type === 'resource_link')
    return <Link uri={text(block['uri'])} name={text(block['title']) || text(block['name'])} />;
  if (type === 'resource') {
    const { uri, text: inner } = (block['resource'] ?? {}) as Known;
    return <pre class="prose">{text(inner).slice(0, 100_000) || text(uri)}</pre>;
  }
  return null;
}

/** Leads somewhere only over HTTP; everything else is text. */
function Link({ uri, name }: { readonly uri: string; readonly name: string }): JSX.Element {
  if (!/^https?:\/\//i.test(uri))
    return (
      <p>
        {name} <code>{uri}</code>
      </p>
    );
  return (
    <p>
      <a href={uri} target="_blank" rel="noreferrer noopener">
        {name || uri}
      </a>
    </p>
  );
}
