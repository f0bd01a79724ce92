import { isAnonymous } from '../../core/principal.ts';
import type { Principal } from '../../core/principal.ts';

/** Identifies a caller who was recognised; empty for everybody else. */
export const ownerOf = (principal: Principal | undefined): string =>
  principal && !isAnonymous(principal) ? JSON.stringify([principal.kind, principal.id]) : '';
