import { profiles } from '../responses/profiles/profiles.ts';

/** Whether a body has the form of one of our profiles. */
export function isProfiled(body: unknown): boolean {
  return Object.values(profiles).some(({ read }) => read(body) !== undefined);
}
