import { DockerfileParser, type JSONInstruction, type PropertyInstruction } from 'dockerfile-ast';

export interface Step {
  readonly keyword: string;
  readonly flags: Readonly<Record<string, string>>;
  /** The unparsed rest after the keyword and its flags. */
  readonly text: string;
  /** The words of the exec form; undefined for the shell form. */
  readonly words: readonly string[] | undefined;
  /** For ARG, ENV and LABEL. */
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
          // The parser does not unescape `\$`.
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

/** Like docker: anything that is not JSON is the shell form. */
function wordsIn(text: string): readonly string[] | undefined {
  try {
    return JSON.parse(text) as readonly string[];
  } catch {
    return undefined;
  }
}
