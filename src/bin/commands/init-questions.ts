import { homedir } from 'node:os';
import { basename } from 'node:path';
import * as prompts from '@clack/prompts';
import { suggestName } from '../../init/package-name.ts';
import { clientFacts, projectClients } from '../../wires/mcp/client-config.ts';
import { folderProblem, nameProblem } from './init-choices.ts';
import type { InitChoices } from './init-choices.ts';
import type { Process } from '../process.ts';
import type { InitFlags } from './init.ts';

/** Asks for everything that was not typed; undefined if the person gives up. */
export async function askForChoices(
  proc: Process,
  typed: string | undefined,
  flags: InitFlags,
): Promise<InitChoices | undefined> {
  prompts.intro('A new project of plain functions');
  try {
    const folder = typed ?? (await askFolder(proc));
    const name = flags.name ?? (await askName(suggestName(basename(proc.resolve(folder)))));
    const ci = flags.ci && (await confirm('Add a workflow that tests it on GitHub?', true));
    const docker = flags.docker ?? (await confirm('Add a Dockerfile?', false));
    const mcp = flags.mcp ?? (await askClients());
    const install = flags.install ?? (await confirm('Run npm install now?', true));
    prompts.outro(`Creating ${name}`);
    return { folder, name, ci, docker, mcp, install };
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
}

class Cancelled extends Error {}

async function askFolder(proc: Process): Promise<string> {
  const text = await answered(
    prompts.text({
      message: 'In which folder? It is created if it does not exist.',
      placeholder: FOLDER,
      defaultValue: FOLDER,
      validate: (typed) => folderProblem(proc, fromHome(typed || FOLDER)),
    }),
  );
  return fromHome(text);
}

const FOLDER = 'my-functions';

/** No shell has done it: a folder that is called ~ is not what anybody means. */
function fromHome(text: string): string {
  return text.replace(/^~(?=\/|$)/, homedir());
}

function askName(suggested: string): Promise<string> {
  return answered(
    prompts.text({
      message: 'What is the name of the package?',
      placeholder: suggested,
      defaultValue: suggested,
      validate: (text) => nameProblem(text || suggested),
    }),
  );
}

function confirm(message: string, initialValue: boolean): Promise<boolean> {
  return answered(prompts.confirm({ message, initialValue }));
}

function askClients(): Promise<InitChoices['mcp']> {
  const options = projectClients.map((value) => ({ value, label: value, hint: clientFacts[value].file }));
  return answered(
    prompts.multiselect({
      message: 'Configure it for MCP clients?',
      options,
      required: false,
    }),
  );
}

async function answered<T>(prompt: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await prompt;
  if (prompts.isCancel(answer)) throw new Cancelled();
  return answer as Exclude<T, symbol>;
}
