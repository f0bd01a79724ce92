export function killWorkers(options: { store: string | undefined; tasks: number; folder: string }): Promise<{
  lost: number;
  wrong: number;
  never: number;
  runs: number;
  duplicates: number;
  kills: number;
  seconds: number;
}>;
