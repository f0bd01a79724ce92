/** A table as Markdown that is aligned for a terminal, too. */
export function renderTable({ caption, head, rows, notes = [] }) {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)));
  const line = (row) =>
    `| ${row.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`;
  const rule = widths.map((width, i) => (i ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  const below = notes.length > 0 ? ['', ...notes.map((note) => `- ${note}`)] : [];
  return [`### ${caption}`, '', line(head), line(rule), ...rows.map(line), ...below].join('\n');
}
