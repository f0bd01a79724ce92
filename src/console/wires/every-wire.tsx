import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
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
  const [chosen, setChosen] = useState(commands[0]!.wire);
  const command = commands.find(({ wire }) => wire === chosen) ?? commands[0]!;
  return (
    <section class="wires" aria-label="Every wire">
      <h2>Every wire</h2>
      <div class="tabs" role="group" aria-label="Wire">
        {commands.map(({ wire }) => (
          <button key={wire} type="button" aria-pressed={wire === chosen} onClick={() => setChosen(wire)}>
            {wire}
          </button>
        ))}
      </div>
      <Copyable text={command.text} label={command.wire} />
      <Comparison fn={fn} found={found} body={body} />
    </section>
  );
}
