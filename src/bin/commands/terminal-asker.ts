import type { Asker, Question } from '../../core/asking.ts';
import { textOf } from '../../responses/text.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { Process } from '../process.ts';

/** Prompts on the terminal (elicitation); undefined if there is none. */
export function terminalAsker(proc: Process): Asker | undefined {
  if (!proc.isInteractive() || !proc.stdin.isTTY) return undefined;
  return { can: isForm, takes: isForm, ask };
}

const isForm = (method: string) => method === 'elicitation/create';

async function ask({ params, again }: Question): Promise<unknown> {
  const prompts = await import('@clack/prompts');
  const { message, requestedSchema } = params as { message: string; requestedSchema: JsonSchema };
  prompts.intro(again ? `${message} (invalid answer; please try again)` : message);
  const content: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(requestedSchema.properties ?? {})) {
    const answer = await askField(name, field, requestedSchema.required?.includes(name) ?? false);
    if (prompts.isCancel(answer)) return { action: 'cancel' };
    if (answer !== undefined && answer !== '') content[name] = answer;
  }
  return { action: 'accept', content };
}

async function askField(name: string, field: JsonSchema, isRequired: boolean): Promise<unknown> {
  const prompts = await import('@clack/prompts');
  const label = field.description ? `${name}: ${field.description}` : name;
  if (field.type === 'boolean') return prompts.confirm({ message: label, initialValue: field.default === true });
  const choices = choicesOf(field);
  if (choices) return prompts.select({ message: label, options: choices });
  const items = typeof field.items === 'object' ? choicesOf(field.items) : undefined;
  if (items) return prompts.multiselect({ message: label, options: items, required: isRequired });
  return prompts.text({
    message: label,
    ...(field.default !== undefined && { initialValue: textOf(field.default) }),
    validate: (text) => (isRequired && !text ? 'This field is required' : undefined),
  });
}

/** The values of an enum, with their titles. */
function choicesOf(field: JsonSchema): { value: unknown; label: string }[] | undefined {
  if (field.enum) return field.enum.map((value) => ({ value, label: String(value) }));
  const titled = (field['oneOf'] ?? field['anyOf']) as readonly JsonSchema[] | undefined;
  return titled?.map(({ const: value, title }) => ({ value, label: textOf(title ?? value) }));
}
