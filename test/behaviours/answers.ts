import type { Answer } from '../every-wire.ts';

export const answers = (body: object): Answer => ({ body: JSON.stringify(body), status: 200, exit: 0 });

const failure =
  (code: string, status: number, exit: number) =>
  (error: string): Answer => ({ body: JSON.stringify({ error }), status, exit, code });

export const invalidArguments = (problems: string): Answer =>
  failure('INVALID_ARGUMENTS', 400, 2)(`Invalid arguments: ${problems}`);
export const invalidOutput = (problems: string): Answer =>
  failure('INVALID_OUTPUT', 500, 70)(`Invalid output: ${problems}`);
export const internalError = failure('INTERNAL_ERROR', 500, 70);
export const invalidJson = failure('INVALID_JSON', 400, 2)('Invalid JSON body');
export const functionNotFound = (name: string): Answer => ({
  ...failure('FUNCTION_NOT_FOUND', 404, 127)(`Function not found: ${name}`),
  mcp: -32602,
});
export { failure };
