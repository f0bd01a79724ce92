import { createApp } from 'everywire';
import { functions, MOMENT } from './profiles.ts';

/** The same functions in an app whose own profile is the envelope. */
export default createApp({
  name: 'Enveloped',
  version: '1.0.0',
  functions,
  profile: 'envelope',
  check: 'enforce',
  clock: () => new Date(MOMENT),
});
