// Colours that can be told apart in both schemes; a chart brings its own ground, as pages do not say theirs.
const STYLE = `
  svg { color-scheme: light dark }
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .ground { fill: #ffffff; stroke: #d1d9e0 }
  .title { font-size: 15px; font-weight: 600 }
  .heading { font-weight: 600 }
  .quiet { fill: #59636e }
  .ours { font-weight: 600 }
  .grid { stroke: #d1d9e0; fill: none }
  .blue { color: #0969da } .grey { color: #6e7781 } .orange { color: #bc4c00 }
  .mark { fill: currentColor; stroke: currentColor; stroke-width: 2 }
  .hollow { fill: #ffffff }
  .line { fill: none; stroke: currentColor; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .ground { fill: #0d1117; stroke: #3d444d }
    .quiet { fill: #9198a1 }
    .grid { stroke: #3d444d }
    .blue { color: #58a6ff } .grey { color: #9198a1 } .orange { color: #f0883e }
    .hollow { fill: #0d1117 }
  }`;

/** A whole picture; the description is for those who do not see it. */
export function picture(width, height, description, parts) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escape(description)}</title>
<style>${STYLE}
</style>
<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>
${parts.join('\n')}
</svg>
`;
}

export const text = (x, y, content, { class: name = '', anchor = 'start' } = {}) =>
  `<text x="${round(x)}" y="${round(y)}" class="${name}" text-anchor="${anchor}">${escape(content)}</text>`;

export const path = (points, name) =>
  `<path class="${name}" d="M${points.map(([x, y]) => `${round(x)},${round(y)}`).join('L')}"/>`;

export const rule = (from, to) => path([from, to], 'grid');

export const dot = (x, y, name) => `<circle class="mark ${name}" cx="${round(x)}" cy="${round(y)}" r="4"/>`;

/** A function from values to pixels. */
export function scale([from, to], [start, end], isLog) {
  const of = isLog ? Math.log10 : (value) => value;
  return (value) => start + ((of(value) - of(from)) / (of(to) - of(from))) * (end - start);
}

const round = (value) => Math.round(value * 10) / 10;

const escape = (content) => content.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
