import { isInteractive } from '../../stdout/claim.ts';

/** The width of a table, also in a pipe. */
export const columns = (): number => (isInteractive() ? process.stdout.columns : 120);
