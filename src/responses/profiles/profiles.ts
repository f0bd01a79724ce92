import { createEnvelope } from './envelope.ts';
import { createMcp } from './mcp.ts';
import { plain } from './plain.ts';
import { problem } from './problem.ts';
import type { Profile, ProfileName } from './profile.ts';
import type { Clock } from '../../core/clock.ts';
import { status } from './status.ts';

export type Profiles = Readonly<Record<ProfileName, Profile>>;

/** Creates all profiles. MCP tool results contain the plain body. */
export function createProfiles(clock?: Clock): Profiles {
  return Object.freeze({ plain, envelope: createEnvelope(clock), status, problem, mcp: createMcp() });
}

export const profiles = createProfiles();
