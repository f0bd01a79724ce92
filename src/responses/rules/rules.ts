import { profileNames } from '../profiles/profile.ts';
import { bodyRules } from './body-rules.ts';
import { envelopeRules } from './envelope-rules.ts';
import { mcpRules } from './mcp-rules.ts';
import { OURS } from './rule.ts';
import type { Rule } from './rule.ts';

/** All rules of all profiles; docs/rules.md is generated from them. */
export const rules: readonly Rule[] = [
  ...profileNames.map((profile): Rule => ({
    id: `${profile}.object`,
    profile,
    sentence: 'The body is a JSON object',
    reason: 'It can be extended later, and clients drop tools whose results are anything else.',
    origin: OURS,
    holds: { type: 'object' },
  })),
  ...envelopeRules,
  ...mcpRules,
  ...bodyRules,
];
