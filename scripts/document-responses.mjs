// Prints docs/responses.md with its table generated again, by calling the weather service in every profile. A test
// compares them.
import { readFileSync } from 'node:fs';
import { createApp } from 'everywire';
import { loadApp } from 'everywire/node';

const page = readFileSync('docs/responses.md', 'utf8');

const weather = await loadApp('examples/weather/app.ts');
const app = createApp({
  name: weather.name,
  version: weather.version,
  functions: weather.functions.map(({ definition }) => definition),
  clock: () => new Date('2026-01-02T03:04:05.678Z'),
});

async function answer(profile, location) {
  const { body } = await app.respond({ name: 'GetWeather', input: { location }, caller: { wire: 'docs' } }, profile);
  return JSON.stringify(JSON.parse(body), null, 2);
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const code = (text) => `<td><pre lang="json"><code>${escaped(text)}</code></pre></td>`;

const rows = [];
for (const profile of Object.values(app.profiles)) {
  const cells = [code(await answer(profile, 'Oslo')), code(await answer(profile, 'Atlantis'))];
  const losses = profile.loses.length > 0 ? `<br>without ${profile.loses.join(', ')}` : '';
  rows.push(`<tr valign="top">\n<td><b>${profile.name}</b>${losses}</td>\n${cells.join('\n')}\n</tr>`);
}

const table = `
<table>
<tr><th></th><th align="left"><code>{"location":"Oslo"}</code></th><th align="left"><code>{"location":"Atlantis"}</code></th></tr>
${rows.join('\n')}
</table>

`;
process.stdout.write(page.replace(/(?<=<!-- made by running it -->\n).*(?=<!-- until here -->)/s, () => table));
