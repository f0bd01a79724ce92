import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { MAX_DEPTH } from '../../schema/bounds.ts';
import { parseJson } from '../../schema/parse-json.ts';
import { redact } from '../../schema/redact.ts';
import { hasSecrets } from '../../schema/secrets.ts';
import { writeJson } from '../../schema/write-json.ts';
import { Copyable } from '../copy.tsx';
import type { Catalogue, Details } from '../types.ts';
import { commandsFor } from './commands.ts';
import { Comparison } from './comparison.tsx';

interface Props {
  readonly fn: Details;
  readonly found: Catalogue;
  /** The arguments, as JSON. */
  readonly body: string;
}

/** The same call as commands, and on all wires at once. */
export function EveryWire({ fn, found, body }: Props): JSX.Element {
  const commands = commandsFor(fn, found.app, body);
  const [chosen, setChosen] = useState(commands[0]!.label);
  const command = commands.find(({ label }) => label === chosen) ?? commands[0]!;
  // What the form hides must not be readable here.
  const masked = hasSecrets(fn.inputSchema) ? maskedBody(fn, body) : body;
  const shown = masked === body ? undefined : commandsFor(fn, found.app, masked).find(({ label }) => label === chosen);
  return (
    <section class="wires" aria-label="Every wire">
      <h2>Every wire</h2>
      <div class="tabs" role="group" aria-label="Wire">
        {commands.map(({ label }) => (
          <button key={label} type="button" aria-pressed={label === chosen} onClick={() => setChosen(label)}>
            {label}
          </button>
        ))}
      </div>
      <Copyable text={command.write()} label={command.label} {...(shown && { shown: shown.write() })} />
      <Comparison fn={fn} found={found} body={body} />
    </section>
  );
}

function maskedBody({ inputSchema }: Details, body: string): string {
  try {
    return writeJson(redact(parseJson(body), inputSchema, MAX_DEPTH));
  } catch {
    return '{}'; // no JSON: the form says so
  }
}
