/** Lists all problems of an app in one message. */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    app: string | undefined,
    readonly problems: readonly string[],
  ) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    super(
      `${count} in ${typeof app === 'string' ? `app "${app}"` : 'the app'}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  }
}
