import { afterAll } from 'vitest';
import { unexpectedErrors, watchErrors } from './errors.ts';
import { removeTemporaryFolders } from './temporary-folder.ts';

// Runs before each test file. The hook that is registered first runs last: when the servers of the file have ended.
watchErrors();
afterAll(() => {
  removeTemporaryFolders();
  const errors = unexpectedErrors();
  if (errors.length === 0) return;
  throw new Error(
    `errors in the log that no test expected (expectErrors of test/kit/errors.ts):\n${errors.join('\n')}`,
  );
});
