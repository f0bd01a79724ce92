import { inMode } from '../sections/mcp-stdio.mjs';
import { dot, picture, rule, scale, text } from './svg.mjs';

const WIDTH = 820;
const ROW = 20;
const GAP = 30;
const TOP = 76;
const [LEFT, RIGHT] = [180, 680];
const TICKS = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500];

const [OLD, NEW] = ['2025-11-25', '2026-07-28'];

/** Processor time per request beside the same written by hand, on each wire, once all of them were measured. */
export function overviewChart({ http, 'mcp-http': mcpHttp, 'mcp-stdio': mcpStdio }) {
  if (!http || !mcpHttp || !mcpStdio) return {};
  const stdio = (mode) => [OLD, NEW].map((revision) => inMode(mcpStdio.data[revision], mode));
  const groups = [
    group('HTTP', [http.data]),
    group('MCP over HTTP', [mcpHttp.data[OLD], mcpHttp.data[NEW]]),
    group('MCP over stdio, one call at a time', stdio('sequential')),
    group('MCP over stdio, 64 calls at a time', stdio('pipelined')),
  ];
  const ratios = groups.flatMap(({ rows }) => rows.flatMap((row) => row.ratios.filter(Number.isFinite)));
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  const ticks = TICKS.slice(least < 1 ? 0 : 1, TICKS.findIndex((tick) => tick >= most) + 1);
  const x = scale([ticks[0], ticks.at(-1)], [LEFT, RIGHT], true);

  const parts = [];
  let y = TOP;
  for (const { heading, rows } of groups) {
    const bottom = y + 10 + rows.length * ROW;
    parts.push(...ticks.map((tick) => rule([x(tick), y + 6], [x(tick), bottom])));
    parts.push(text(16, y, heading, { class: 'heading' }));
    parts.push(...rows.flatMap((row, i) => drawRow(x, y + 22 + i * ROW, row)));
    y = bottom + GAP;
  }
  const axis = ticks.map((tick) => text(x(tick), y - 10, `${tick}×`, { class: 'quiet', anchor: 'middle' }));
  const title = text(16, 28, 'CPU per request, as a multiple of the same written by hand', { class: 'title' });
  const description = 'Processor time per request, as a multiple of the same written by hand, on each wire';
  return { overview: picture(WIDTH, y + 8, description, [title, ...legend(), ...parts, ...axis]) };
}

/** Contenders by what they cost; whoever does not speak a revision has no ratio there. */
function group(heading, series) {
  const names = [...new Set(series.flatMap((servers) => servers.slice(1).map(({ name }) => name)))];
  const rows = names.map((name) => ({
    name,
    ratios: series.map((servers) => servers.find((server) => server.name === name)?.cpu / servers[0].cpu),
  }));
  return { heading, rows: rows.toSorted((a, b) => a.ratios[0] - b.ratios[0]) };
}

function drawRow(x, y, { name, ratios }) {
  const isOurs = name.startsWith('everywire');
  const colour = isOurs ? 'blue' : 'grey';
  const dots = ratios.map((ratio, i) =>
    Number.isFinite(ratio) ? dot(x(ratio), y - 4, `${colour} ${i ? 'hollow' : ''}`) : '',
  );
  const label = ratios.map((ratio) => (Number.isFinite(ratio) ? `${ratio.toPrecision(ratio < 10 ? 2 : 3)}×` : '–'));
  return [
    text(LEFT - 14, y, name, { class: isOurs ? 'ours' : '', anchor: 'end' }),
    ...dots.toReversed(),
    ...label.map((content, i) =>
      text(RIGHT + 70 + i * 54, y, content, { class: isOurs ? 'ours' : 'quiet', anchor: 'end' }),
    ),
  ];
}

function legend() {
  return [
    text(16, 48, 'Logarithmic; further left is cheaper, and 1× is the limit.', { class: 'quiet' }),
    dot(RIGHT - 184, 44, 'grey'),
    text(RIGHT - 174, 48, `HTTP, and MCP ${OLD}`, { class: 'quiet' }),
    dot(RIGHT + 12, 44, 'grey hollow'),
    text(RIGHT + 22, 48, `MCP ${NEW}`, { class: 'quiet' }),
  ];
}
