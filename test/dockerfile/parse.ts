import { DockerfileParser } from 'dockerfile-ast';
import type { JSONInstruction, PropertyInstruction } from 'dockerfile-ast';

export interface Step {
  readonly keyword: string;
  readonly flags: Readonly<Record<string, string>>;
  /** What follows the keyword and its flags, as written. */
  readonly text: string;
  /** The words of the exec form; undefined in the form that a shell reads. */
  readonly words: readonly string[] | undefined;
  /** Of ARG, ENV and LABEL. */
  readonly properties: Readonly<Record<string, string>>;
}

export interface ParsedDockerfile {
  /** Before the first stage. */
  readonly args: Readonly<Record<string, string>>;
  /** Each starts with its FROM. */
  readonly stages: readonly (readonly Step[])[];
}

export function parseDockerfile(text: string): ParsedDockerfile {
  const steps = DockerfileParser.parse(text)
    .getInstructions()
    .map((instruction): Step => {
      const { getFlags, getProperties } = instruction as Partial<JSONInstruction & PropertyInstruction>;
      const flags = getFlags?.call(instruction) ?? [];
      const properties = getProperties?.call(instruction) ?? [];
      const written = instruction.getRawArgumentsContent() ?? '';
      return {
        keyword: instruction.getKeyword(),
        flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
        text: written,
        words: wordsIn(written.replace(/^CMD /, '')),
        properties: Object.fromEntries(
          // The parser leaves the one escape that is not about quotes.
          properties.map((property) => [property.getName(), (property.getValue() ?? '').replaceAll('\\$', '$')]),
        ),
      };
    });
  const starts = steps.flatMap(({ keyword }, i) => (keyword === 'FROM' ? [i] : []));
  return {
    args: Object.assign({}, ...steps.slice(0, starts[0]).map(({ properties }) => properties)) as Record<string, string>,
    stages: starts.map((start, i) => steps.slice(start, starts[i + 1])),
  };
}

/** As docker decides it: what is no JSON is for a shell. */
function wordsIn(text: string): readonly string[] | undefined {
  try {
    return JSON.parse(text) as readonly string[];
  } catch {
    return undefined;
  }
}
