import type { EnvironmentOptions } from '../env/environment.ts';
import type { Mount } from './mounts.ts';

/**
 * Starts the apps of a server. Rejects if one of them cannot be started, when the others have stopped. Returns a function that
 * stops those that were not started before.
 */
export async function startApps(
  mounts: readonly Mount[],
  environment: EnvironmentOptions,
): Promise<() => Promise<void>> {
  const { env, files } = environment;
  const started = await Promise.allSettled(mounts.map(async ({ app }) => app.start({ env, files })));
  const stop = async () => {
    const own = mounts.filter((_, i) => started[i]?.status === 'fulfilled' && started[i].value);
    await Promise.all(own.map(({ app }) => app.close()));
  };
  const failed = started.find((one) => one.status === 'rejected');
  if (!failed) return stop;
  await stop();
  throw failed.reason;
}
