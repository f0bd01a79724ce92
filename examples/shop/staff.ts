import { Failure } from 'everywire';
import { defineMiddleware } from './define.ts';

/** Functions with this tag are for staff. */
export const STAFF = 'staff';

/** The user who starts the shop says who uses it, with `--env SHOP_STAFF=ada`. Everybody else is a guest. */
export const identify = defineMiddleware((call, next) => {
  const name = call.context.env.get('SHOP_STAFF');
  return next({ user: name ? { name, isStaff: true } : { name: 'guest', isStaff: false } });
});

export const staffOnly = defineMiddleware((call, next) => {
  const isForStaff = call.function.definition.tags?.includes(STAFF);
  if (isForStaff && !call.context.values.user?.isStaff) throw new Failure('FORBIDDEN', 'Only for staff');
  return next();
});
