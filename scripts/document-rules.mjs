// Prints docs/rules.md from the rules in the code; a test compares the two.
import { profileNames, rules } from 'everywire/responses';

const row = ({ id, sentence, reason, origin }) => `| \`${id}\` | ${sentence}. | ${reason} | ${origin} |`;

const sections = profileNames.map((profile) => {
  const rows = rules.filter((rule) => rule.profile === profile).map(row);
  return `## ${profile}\n\n| rule | what must hold | why | from |\n| --- | --- | --- | --- |\n${rows.join('\n')}`;
});

console.log(`# Rules

What a body of each [profile](responses.md) must keep to. The table is \`rules\` of \`everywire/responses\`, and
\`checkResponse\` finds every place where a body breaks one. This page is made from it by
\`node scripts/document-rules.mjs > docs/rules.md\`.

${sections.join('\n\n')}`);
