import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxConcurrency: 4,
    // Most tests wait for processes of their own; by default a machine of two cores would run one file at a time.
    maxWorkers: 2,
  },
});
