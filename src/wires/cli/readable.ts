import type { Outcome } from '../../core/outcome.ts';
import type { Returned } from '../../core/results.ts';

/** A success as a person reads it on a terminal. */
export function readable(outcome: Outcome & { ok: true }, returned: Returned | undefined): string {
  if (returned?.kind === 'none') return 'Done.';
  if (returned?.kind !== 'several') return lines(outcome.data).join('\n');
  const described = returned.schemas.map(({ json }) => json.description ?? '');
  return (outcome.data as readonly unknown[])
    .map((value, i) => `${described[i]}: ${lines(value).join('\n')}`)
    .join('\n');
}

function lines(value: unknown): string[] {
  if (typeof value === 'string') return value.split('\n');
  if (typeof value !== 'object' || value === null) return [String(value)];
  if (Array.isArray(value))
    return value.length === 0 ? ['(none)'] : value.flatMap((item) => indented('- ', lines(item)));
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.flatMap(([name, field]) => {
    const inner = lines(field);
    const isNested = typeof field === 'object' && field !== null;
    return isNested ? [`${name}:`, ...inner.map((line) => `  ${line}`)] : indented(`${name}:`.padEnd(width + 2), inner);
  });
}

function indented(first: string, [head = '', ...rest]: readonly string[]): string[] {
  return [first + head, ...rest.map((line) => ' '.repeat(first.length) + line)];
}
