/** Rules for requests and responses, in addition to the rules for bodies (docs/rules.md). docs/proof.md lists them. */
export const auditRules = {
  'call.answered': 'A call with valid arguments is answered with a result',
  'call.invalid': 'Arguments that break the input schema are refused',
  'call.unknown': 'A call of an unknown tool is refused with a JSON-RPC error',
  'stdio.messages': 'On stdio, stdout carries nothing but messages',
  'openapi.status': 'The status is one that the document describes',
  'openapi.body': 'The body is what the document describes for its status',
  'log.json': 'Every line of the log is JSON',
} as const;

export type AuditRule = keyof typeof auditRules;
