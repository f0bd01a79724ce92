import { createGrowthApp } from './growth.ts';

/** With what costs most per call: every call recorded with its arguments, every body checked, unknown fields refused. */
export default createGrowthApp({ audit: { to: () => {}, arguments: true }, check: 'enforce', strict: true });
