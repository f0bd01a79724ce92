import type { App, AppOptions } from 'everywire';
import type { Deferral } from '../../../src/core/task.ts';

export function createRecorder(name?: string, options?: Partial<AppOptions>): App;
export const DEFERRED: Deferral;
