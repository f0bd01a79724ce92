import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { bytes, milliseconds } from '../format.ts';
import type { Catalogue, Details } from '../types.ts';
import { areEqual, compareWires } from './compare.ts';
import type { WireResult } from './compare.ts';

interface Props {
  readonly fn: Details;
  readonly found: Catalogue;
  readonly body: string;
}

/** In the order in which they are shown, whichever answers first. */
const ORDER = ['HTTP', 'MCP 2025-11-25', 'MCP 2026-07-28', 'CGI', 'Command line'];
const rank = ({ wire }: WireResult) => (ORDER.indexOf(wire) + ORDER.length + 1) % (ORDER.length + 1);

/** Makes one call on every wire, and shows whether all answered with the same bytes. */
export function Comparison({ fn, found, body }: Props): JSX.Element {
  const [results, setResults] = useState<readonly WireResult[]>([]);
  const [isRunning, setRunning] = useState(false);
  const [isSure, setSure] = useState(fn.hints?.destructive !== true);
  const startsProcesses = found.app.mayWatch && found.app.command !== undefined;
  const compare = async () => {
    setResults([]);
    setRunning(true);
    await compareWires(fn, body, startsProcesses, (more) => setResults((sofar) => [...sofar, ...more]));
    setRunning(false);
  };
  // Says why the button does nothing.
  const reason =
    fn.task === 'always'
      ? 'Not compared: this function always becomes a task, and each task has an id of its own.'
      : isSure
        ? undefined
        : 'Confirm before it is compared:';
  const equal = isRunning ? undefined : areEqual(results);
  return (
    <div class="comparison" aria-live="polite">
      <div class="bar">
        <button
          type="button"
          aria-disabled={isRunning || reason !== undefined}
          aria-describedby={reason && 'not-compared'}
          onClick={() => void (isRunning || reason !== undefined || compare())}
        >
          {isRunning ? 'Comparing…' : 'Compare wires'}
        </button>
        {reason && (
          <span id="not-compared" class="muted">
            {reason}
          </span>
        )}
        {!isSure && fn.task !== 'always' && (
          <label class="inline">
            <input type="checkbox" onChange={() => setSure(true)} /> It is destructive, and will be called{' '}
            {startsProcesses ? 7 : 3} times
          </label>
        )}
        {equal !== undefined && (
          <span class={`badge ${equal ? 'good' : 'danger'}`} data-equal={String(equal)}>
            {equal ? `All ${results.filter((one) => one.body !== undefined).length} equal` : 'Not equal'}
          </span>
        )}
      </div>
      {results.length > 0 && (
        <div class="scroll-x" tabIndex={0} role="region" aria-label="Results of the wires">
          <table>
            <thead>
              <tr>
                <th>Wire</th>
                <th class="number">Time</th>
                <th class="number">Size</th>
                <th>SHA-256</th>
                <th>Body</th>
              </tr>
            </thead>
            <tbody>
              {results
                .toSorted((a, b) => rank(a) - rank(b))
                .map((one) => (
                  <tr key={one.wire} data-wire={one.wire}>
                    <th scope="row">{one.wire}</th>
                    <td class="number">{one.duration === undefined ? '' : milliseconds(one.duration)}</td>
                    <td class="number">{one.bytes === undefined ? '' : bytes(one.bytes)}</td>
                    <td>
                      <code title={one.sha256}>{one.sha256?.slice(0, 12)}</code>
                    </td>
                    <td>
                      {one.problem ? (
                        <span class="problem">{one.problem}</span>
                      ) : (
                        <code class="clip">{one.body?.slice(0, 300)}</code>
                      )}
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      )}
      {equal === false && (
        <p class="muted">
          Other processes have their own memory, clock and random numbers: what a function takes from there differs.
        </p>
      )}
      {!startsProcesses && (
        <p class="muted">
          CGI, the command line and MCP on stdio are compared where “everywire serve” was started with a module.
        </p>
      )}
    </div>
  );
}
