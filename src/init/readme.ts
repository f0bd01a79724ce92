import { modulePath, shortName } from './project.ts';
import type { Project } from './project.ts';

/** README.md: how to run the project, and how to go on. */
export function readme(project: Project): string {
  const { name, docker, ci, clientFiles } = project;
  const module = modulePath(project);
  const clients = Object.keys(clientFiles);
  return `# ${name}

Plain functions in [${module}](${module}), served over HTTP with an OpenAPI document, over MCP, as CGI and on the command line by
[everywire](https://www.npmjs.com/package/everywire).

\`\`\`sh
npm install
npm run dev
\`\`\`

In a second terminal:

\`\`\`sh
curl --json '{"x": 10, "y": 20}' http://localhost:8080/functions/Add
curl http://localhost:8080/openapi.json
npx everywire call ${module} Greet --name Ada --loudly
\`\`\`

| command | |
| --- | --- |
| \`npm run dev\` | serves, and reloads when a file changes |
| \`npm start\` | serves; \`npm start -- --port 3000\` on another port |
| \`npm test\` | runs the tests in \`test/\` |
| \`npm run check\` | checks the types |
| \`npm run build\` | writes \`dist/app.mjs\`, one file that needs only Node.js, or names the packages it needs beside it: \`node dist/app.mjs serve\` |

## To add a function

Export it from \`${module}\`. Parameters and results get their schema from the types, and their description from the comment. Use
\`int\` where only whole numbers make sense.

## For MCP clients

${clients.length > 0 ? `${clients.map((file) => `\`${file}\``).join(' and ')} ${clients.length > 1 ? 'have' : 'has'} the configuration. For other clients, this prints it:` : 'This prints the configuration:'}

\`\`\`sh
npx everywire mcp-config ${module} --for claude-desktop
\`\`\`
${docker ? container(name) : ''}${ci ? CI : ''}`;
}

function container(name: string): string {
  const image = shortName(name);
  return `
## As a container

The \`Dockerfile\` needs \`package-lock.json\`, which \`npm install\` writes.

\`\`\`sh
docker build --tag ${image} .
docker run --rm --read-only --publish 8080:8080 ${image}
\`\`\`
`;
}

const CI = `
## On GitHub

\`.github/workflows/test.yml\` checks and tests every push. Commit \`package-lock.json\`: it installs what that file says.
`;
