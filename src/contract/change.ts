/** A difference between two contracts, as one line for people says it. */
export interface ContractChange {
  readonly kind: 'added' | 'removed' | 'changed';
  /** The name of the function, the prompt or the resource. */
  readonly subject: string;
  /** What is different in it: `parameter limit added, required`. Empty if all of it was added or removed. */
  readonly text: string;
  /** Whether a caller that worked before may fail now. */
  readonly isBreaking: boolean;
}

/** Whether fewer or more values are allowed than before; `both` if some are new and others gone. */
export type Effect = 'narrower' | 'wider' | 'both' | 'none';
