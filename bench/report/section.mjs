import { renderTable } from './table.mjs';

/** What was measured in a section, and with what. */
export function renderSection({ title, how, tables }, { date, machine, versions, settings, data }) {
  const head = [`## ${title}`, `${how(settings)} ${date}, ${machine}. ${versions.join(', ')}.`];
  return [...head, ...tables(data).map(renderTable)].join('\n\n');
}
