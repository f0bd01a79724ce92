import type { ComponentChildren, JSX } from 'preact';
import { useErrorBoundary } from 'preact/hooks';

interface BoundaryProps {
  /** What failed, and what can be done instead. */
  readonly says: string;
  readonly children: ComponentChildren;
}

/** A part of the page that may fail alone: the rest stays usable. */
export function Boundary({ says, children }: BoundaryProps): JSX.Element {
  const [error] = useErrorBoundary() as [Error | undefined, () => void];
  if (!error) return <>{children}</>;
  return (
    <p class="problem" role="alert">
      {says} ({error.message})
    </p>
  );
}
