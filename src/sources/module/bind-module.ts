import type { FunctionDefinition } from '../../core/function.ts';
import type { ModuleDescription } from './description.ts';
export function bindModule(
  description: ModuleDescription,
  exports: Readonly<Record<string, unknown>>,
): FunctionDefinition[] {
  return description.functions.map((fn) => ({
    name: fn.name,
    description: fn.description,
    input: fn.input,
    ...(fn.result.kind === 'one' && { output: fn.result.schema }),
    run: (input: any) =>
      (exports as any)[fn.name](...fn.parameters.map((p) => (p.kind === 'property' ? input[p.name] : input))),
  })) as never;
}
