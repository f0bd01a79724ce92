import { RecentlyUsed } from '../recently-used.ts';
import type { Handler } from './find-route.ts';

/** How many base paths are remembered. */
const MOST = 16;

/** A handler whose responses contain the base path: one for each base. */
export function perBase(create: (base: string | undefined) => Handler, ownBase: string | undefined): Handler {
  const handlers = new RecentlyUsed<Handler>(MOST);
  return (request, query, match, fn) => {
    const base = request.base ?? ownBase;
    return handlers.get(base ?? '', () => create(base || undefined))(request, query, match, fn);
  };
}
