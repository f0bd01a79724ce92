import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { milliseconds } from '../format.ts';
import type { CallRecord } from '../types.ts';

/** Functions and codes that are listed. */
const MOST = 12;

/** How long each function takes, and how calls fail. */
export function Statistics({ records }: { readonly records: readonly CallRecord[] }): JSX.Element | null {
  const functions = useMemo(() => byFunction(records), [records]);
  const failures = useMemo(() => byCode(records), [records]);
  if (records.length === 0) return null;
  return (
    <div class="statistics">
      <div class="scroll-x" tabIndex={0} role="region" aria-label="Durations by function">
        <table>
          <thead>
            <tr>
              <th>Function</th>
              <th class="number">Calls</th>
              <th class="number">p50</th>
              <th class="number">p95</th>
              <th class="number">p99</th>
            </tr>
          </thead>
          <tbody>
            {functions.slice(0, MOST).map(([name, durations]) => (
              <tr key={name}>
                <td>{name}</td>
                <td class="number">{durations.length}</td>
                {[0.5, 0.95, 0.99].map((part) => (
                  <td class="number" key={part}>
                    {milliseconds(percentile(durations, part))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div>
        <h2>Errors by code</h2>
        {failures.length === 0 && <p class="muted">None.</p>}
        <ul class="bars">
          {failures.slice(0, MOST).map(([code, count]) => (
            <li key={code}>
              <code>{code}</code>
              <meter min={0} max={failures[0]![1]} value={count} aria-label={`${code}: ${count}`} />
              <span class="number">{count}</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Durations in ascending order, of the function with most calls first. */
function byFunction(records: readonly CallRecord[]): readonly (readonly [string, readonly number[]])[] {
  const groups = Object.entries(Object.groupBy(records, ({ operationId }) => operationId));
  return groups
    .map(([name, group = []]) => [name, group.map(({ duration }) => duration).toSorted((a, b) => a - b)] as const)
    .toSorted(([, a], [, b]) => b.length - a.length);
}

function byCode(records: readonly CallRecord[]): readonly (readonly [string, number])[] {
  const failed = records.filter(({ code }) => code !== 'OK');
  return Object.entries(Object.groupBy(failed, ({ code }) => code))
    .map(([code, group = []]) => [code, group.length] as const)
    .toSorted(([, a], [, b]) => b - a);
}

/** Of a list in ascending order: the smallest value that this part of them does not exceed. */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
}
