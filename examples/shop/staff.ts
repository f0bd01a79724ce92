import type { Middleware } from 'everywire';

export interface User {
  readonly name: string;
  readonly isStaff: boolean;
}

/** Functions with this tag are for staff. */
export const STAFF = 'staff';

/** Who uses the shop is said by whoever starts it, with `--env SHOP_STAFF=ada`. Everybody else is a guest. */
export const identify: Middleware = (call, next) => {
  const name = call.context.env.get('SHOP_STAFF');
  const user: User = name ? { name, isStaff: true } : { name: 'guest', isStaff: false };
  return next({ user });
};

export const staffOnly: Middleware = (call, next) => {
  const { user } = call.context.values as { user: User };
  if (user.isStaff || !call.function.definition.tags?.includes(STAFF)) return next();
  return { ok: false, error: { code: 'FORBIDDEN', message: 'Only for staff', retry: false } };
};
