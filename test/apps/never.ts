import { createApp, defineFunction } from 'everywire';

/** Holds nothing open: a function that never returns leaves Node with nothing to wait for. */
const never = defineFunction({
  name: 'Never',
  description: 'Never returns, and nothing is left to wait for',
  output: { type: 'string', description: 'Nothing' },
  timeout: 0,
  run: () => new Promise<string>(() => {}),
});

export default createApp({ name: 'Never', version: '1.0.0', functions: [never] });
