/** Milliseconds for a connection, and for an answer. Callers wait meanwhile. */
export const PATIENCE = 2000;

/** Whether it succeeds in time. */
export async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE * 0.9);
  });
  try {
    return await Promise.race([
      work().then(
        () => true,
        () => false,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
