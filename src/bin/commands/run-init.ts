import { resolve } from 'node:path';
import { everywireSpec } from '../../init/everywire-spec.ts';
import { InitError } from '../../init/init-error.ts';
import { projectFiles } from '../../init/project-files.ts';
import { MODULE, shortName } from '../../init/project.ts';
import { writeProject } from '../../init/write-project.ts';
import { isInteractive } from '../../stdout/claim.ts';
import { printError } from '../../stdout/stderr.ts';
import { version } from '../../version.ts';
import { quoted } from '../../wires/cli/flag-example.ts';
import { clientFacts, projectConfig } from './client-config.ts';
import { defaultsFor, folderProblem, nameProblem } from './init-choices.ts';
import type { InitChoices } from './init-choices.ts';
import type { InitFlags } from './init.ts';
import { npmInstall } from './npm-install.ts';

interface Ended {
  /** For stdout. */
  readonly text: string;
  readonly code: number;
}

/** Creates a project. What was not typed is asked for on a terminal. */
export async function runInit(folder: string | undefined, flags: InitFlags): Promise<Ended> {
  const mayAsk = flags.yes !== true && isInteractive() && process.stdin.isTTY;
  if (flags.name !== undefined) refuse(nameProblem(flags.name));
  if (folder !== undefined || !mayAsk) refuse(folderProblem(folder ?? '.'));
  const choices = mayAsk
    ? await (await import('./init-questions.ts')).askForChoices(folder, flags)
    : defaultsFor(folder ?? '.', flags);
  if (!choices) return { text: 'Cancelled; nothing was created.\n', code: 1 };
  const files = projectFiles({
    ...choices,
    everywire: everywireSpec(flags.everywire ?? `^${version}`, choices.folder),
    clientFiles: Object.fromEntries(
      choices.mcp.map((client) => [
        clientFacts[client].file,
        `${projectConfig(client, shortName(choices.name), MODULE)}\n`,
      ]),
    ),
  });
  refuse(folderProblem(choices.folder, Object.keys(files)));
  writeProject(resolve(choices.folder), files);
  const failure = choices.install ? await npmInstall(choices.folder) : undefined;
  if (failure !== undefined) printError(`${failure}; the project is created, and can be installed later`);
  return {
    text: summary(choices, Object.keys(files), choices.install && failure === undefined),
    code: failure === undefined ? 0 : 1,
  };
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new InitError(problem);
}

/** What was created, and what to type next. */
function summary({ folder, name }: InitChoices, files: readonly string[], isInstalled: boolean): string {
  const isHere = resolve(folder) === process.cwd();
  const next = [
    ...(isHere ? [] : [`cd ${quoted(folder)}`]),
    ...(isInstalled ? [] : ['npm install']),
    'npm test',
    'npm run dev',
  ];
  const steps = next.length > 3 ? next.filter((line) => line !== 'npm test') : next;
  return `
Created ${name}${isHere ? '' : ` in ${folder}`}:
${files.map((file) => `  ${file}\n`).join('')}
Next:
${steps.map((line) => `  ${line}\n`).join('')}
Then, in another terminal:
  curl --json '{"x": 10, "y": 20}' http://localhost:8080/functions/Add
`;
}
