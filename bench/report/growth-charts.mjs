import { dot, path, picture, rule, scale, text } from './svg.mjs';

const PANEL = { width: 270, height: 190 };
const TOP = 84;
const COLOURS = { everywire: 'blue', 'hand-written': 'grey', 'everywire, MCP': 'orange' };

const MEASURES = [
  { title: 'calls per second', of: ({ rate }) => rate },
  { title: 'CPU µs per call', of: ({ cpu }) => cpu },
  { title: 'RSS MiB', of: ({ rss }) => rss / 2 ** 20 },
];
const START = [{ title: 'milliseconds until it listens', of: ({ start }) => start }];

/** A chart for each thing that can grow. */
export function growthCharts({ growth }) {
  if (!growth) return {};
  const { functions, payload, connections } = growth.data;
  return {
    'growth-functions': chart('What a call costs by registered functions', functions, MEASURES),
    'growth-payload': chart('What a call costs by bytes sent and returned', payload, MEASURES, true),
    'growth-connections': chart('What a call costs by connections', connections, MEASURES),
    'growth-start-up': chart(
      'Start-up by registered functions',
      functions.filter(({ name }) => name !== 'everywire, MCP'),
      START,
    ),
  };
}

function chart(title, points, measures, isLog = false) {
  const names = [...new Set(points.map(({ name }) => name))];
  const legend = names.flatMap((name, i) => [
    dot(22 + i * 120, 50, COLOURS[name]),
    text(32 + i * 120, 54, name, { class: 'quiet' }),
  ]);
  const panels = measures.flatMap((measure, i) => panel(16 + i * PANEL.width, measure, names, points, isLog));
  const width = Math.max(16 + measures.length * PANEL.width, 400);
  return picture(width, TOP + PANEL.height + 34, title, [
    text(16, 28, title, { class: 'title' }),
    ...legend,
    ...panels,
  ]);
}

function panel(left, { title, of }, names, points, isLog) {
  const sizes = [...new Set(points.map(({ size }) => size))];
  const ticks = (isLog ? decades : steps)(points.map(of));
  const x = scale([sizes[0], sizes.at(-1)], [left + 50, left + PANEL.width - 26], true);
  const y = scale([ticks[0], ticks.at(-1)], [TOP + PANEL.height, TOP + 20], isLog);
  const [first, last] = [x(sizes[0]), x(sizes.at(-1))];
  return [
    text(left, TOP, isLog ? `${title}, logarithmic` : title, { class: 'heading' }),
    ...ticks.flatMap((tick) => [
      rule([first, y(tick)], [last, y(tick)]),
      text(first - 8, y(tick) + 4, short(tick), { class: 'quiet', anchor: 'end' }),
    ]),
    ...sizes.map((size) => text(x(size), TOP + PANEL.height + 20, short(size), { class: 'quiet', anchor: 'middle' })),
    ...names.flatMap((name) => {
      const line = points.filter((point) => point.name === name).map((point) => [x(point.size), y(of(point))]);
      return [path(line, `line ${COLOURS[name]}`), ...line.map(([across, down]) => dot(across, down, COLOURS[name]))];
    }),
  ];
}

/** From nothing to above the highest, in four steps of a round number or fewer. */
function steps(values) {
  const most = Math.max(...values);
  const magnitude = 10 ** Math.floor(Math.log10(most / 4));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * magnitude).find((size) => size * 4 >= most);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
}

/** The powers of ten around all values. */
function decades(values) {
  const [from, to] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  return Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i));
}

const short = (value) => (value >= 1e6 ? `${value / 1e6}M` : value >= 1e3 ? `${value / 1e3}k` : String(value));
