import { everywireSpec } from '../../init/everywire-spec.ts';
import { InitError } from '../../init/init-error.ts';
import { projectFiles } from '../../init/project-files.ts';
import { modulePath, shortName } from '../../init/project.ts';
import { writeProject } from '../../init/write-project.ts';
import { version } from '../../version.ts';
import { quoted } from '../../wires/cli/flag-example.ts';
import { clientFacts, projectConfig } from '../../wires/mcp/client-config.ts';
import { defaultsFor, folderProblem, nameProblem } from './init-choices.ts';
import type { InitChoices } from './init-choices.ts';
import type { InitFlags } from './init.ts';
import type { Process } from '../process.ts';
import { npmInstall } from './npm-install.ts';

/** Creates a project, and returns the exit code. What was not typed is asked for on a terminal. */
export async function runInit(proc: Process, folder: string | undefined, flags: InitFlags): Promise<number> {
  const { write } = proc.claimStdoutSync();
  const mayAsk = flags.yes !== true && proc.isInteractive() && proc.stdin.isTTY;
  if (flags.name !== undefined) refuse(nameProblem(flags.name));
  if (folder !== undefined || !mayAsk) refuse(folderProblem(proc, folder ?? '.'));
  const choices = mayAsk
    ? await (await import('./init-questions.ts')).askForChoices(proc, folder, flags)
    : defaultsFor(proc, folder ?? '.', flags);
  if (!choices) {
    write('Cancelled; nothing was created.\n');
    return 1;
  }
  const isHere = proc.resolve(choices.folder) === proc.cwd;
  const everywire = everywireSpec(flags.everywire ?? `^${version}`, choices.folder, proc.resolve);
  const files = projectFiles({
    ...choices,
    everywire,
    clientFiles: Object.fromEntries(
      choices.mcp.map((client) => [
        clientFacts[client].file,
        `${projectConfig(client, shortName(choices.name), modulePath(choices))}\n`,
      ]),
    ),
  });
  refuse(folderProblem(proc, choices.folder, Object.keys(files)));
  writeProject(proc.resolve(choices.folder), files);
  write(created(choices, isHere, Object.keys(files)));
  if (choices.docker && everywire.startsWith('file:'))
    proc.printWarning(
      `docker cannot reach ${everywire.slice('file:'.length)}; copy it into the project and install it from there`,
    );
  const failure = choices.install ? await npmInstall(proc.resolve(choices.folder)) : undefined;
  if (failure !== undefined) proc.printError(`${failure}; the project is created, and can be installed later`);
  write(nextSteps(choices, isHere, choices.install && failure === undefined));
  return failure === undefined ? 0 : 1;
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new InitError(problem);
}

function created({ folder, name }: InitChoices, isHere: boolean, files: readonly string[]): string {
  const where = isHere || folder === name ? '' : ` in ${folder}`;
  return `Created ${name}${where}:\n${indented(files)}\n`;
}

/** Three commands, and what to do with the server that the last one starts. */
function nextSteps({ folder }: InitChoices, isHere: boolean, isInstalled: boolean): string {
  const before = [
    ...(isHere ? [] : [`cd ${quoted(folder.startsWith('-') ? `./${folder}` : folder)}`]),
    ...(isInstalled ? [] : ['npm install']),
  ];
  const commands = [...before, ...(before.length < 2 ? ['npm test'] : []), 'npm run dev'];
  return `${isInstalled ? '\n' : ''}Next:\n${indented(commands)}
Then, in another terminal:
  curl --json '{"x": 10, "y": 20}' http://localhost:8080/functions/Add
`;
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join('');
}
