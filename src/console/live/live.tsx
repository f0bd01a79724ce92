import type { JSX } from 'preact';
import { bytes, clock, milliseconds } from '../format.ts';
import { remember, route } from '../route.ts';
import type { CallRecord } from '../types.ts';
import { Charts } from './charts.tsx';
import { connection, records, skipped } from './records.ts';
import { Statistics } from './statistics.tsx';

/** Lines that are shown; the figures are about all. */
const MOST = 200;

/** The calls that the server answers, as they come. */
export function Live(): JSX.Element {
  const { query } = route.value;
  const [text, wire, code] = ['function', 'wire', 'code'].map((key) => query.get(key) ?? '') as [
    string,
    string,
    string,
  ];
  const all = records.value;
  const shown = all
    .filter(
      (one) =>
        one.operationId.toLowerCase().includes(text.toLowerCase()) &&
        (wire === '' || one.wire === wire) &&
        (code === '' || (code === 'failures' ? one.code !== 'OK' : one.code === code)),
    )
    // Records arrive when calls end, and show when they started.
    .toSorted((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
  return (
    <section class="live">
      <h1>Live</h1>
      <div class="bar">
        <input
          type="search"
          placeholder="Function"
          aria-label="Filter by function"
          value={text}
          onInput={(event) => remember({ function: event.currentTarget.value || undefined })}
        />
        <Filter label="Wire" name="wire" value={wire} options={distinct(all, ({ wire: one }) => one)} />
        <Filter
          label="Code"
          name="code"
          value={code}
          options={['failures', ...distinct(all, ({ code: one }) => one)]}
        />
        <span class={`badge ${connection.value === 'connected' ? 'good' : ''}`} role="status">
          {connection.value}
        </span>
        {skipped.value > 0 && <span class="muted tabular">{skipped.value} calls not listed</span>}
      </div>
      <Charts records={shown} />
      <Statistics records={shown} />
      <div class="scroll-x" tabIndex={0} role="region" aria-label="Calls">
        <table class="records">
          <thead>
            <tr>
              <th aria-sort="descending">Started</th>
              <th>Code</th>
              <th>Function</th>
              <th class="number">Duration</th>
              <th>Wire</th>
              <th>Caller</th>
              <th class="number">Size</th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, MOST).map((one) => (
              <tr key={one.key} class={one.code === 'OK' ? '' : 'bad'}>
                <td class="tabular">{clock(one.time)}</td>
                <td>
                  <code>{one.code}</code>
                </td>
                <td>{one.operationId}</td>
                <td class="number">{milliseconds(one.duration)}</td>
                <td>{one.wire}</td>
                <td>{one.principal?.id}</td>
                <td class="number">{bytes(one.bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length === 0 && (
        <p class="empty">No calls yet. Make one, on any wire of this server, and it appears here.</p>
      )}
    </section>
  );
}

const distinct = (all: readonly CallRecord[], pick: (one: CallRecord) => string) =>
  [...new Set(all.map(pick))].slice(0, 50);

function Filter(props: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly options: readonly string[];
}): JSX.Element {
  const { label, name, value, options } = props;
  return (
    <label class="inline">
      {label}{' '}
      <select value={value} onChange={(event) => remember({ [name]: event.currentTarget.value || undefined })}>
        <option value="">all</option>
        {[...new Set([...options, ...(value ? [value] : [])])].map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}
