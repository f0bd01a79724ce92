import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallRecord } from '../types.ts';
import type { Plot } from './plots.ts';
import { seriesOf } from './series.ts';

/** Calls per second, and how long they take. What draws them is loaded with the first one. */
export function Charts({ records }: { readonly records: readonly CallRecord[] }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | undefined>(undefined);
  const latest = useRef(records);
  latest.current = records;
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    let isGone = false;
    const draw = () => plot.current?.update(seriesOf(latest.current, Date.now()));
    const load = async () => {
      const { createPlots } = await import('./plots.ts');
      if (isGone || !box.current) return;
      plot.current = createPlots(box.current);
      setDrawn(true);
      draw();
    };
    void load();
    const timer = setInterval(draw, 1000);
    return () => {
      isGone = true;
      clearInterval(timer);
      plot.current?.destroy();
    };
  }, []);
  return (
    <div
      class="charts"
      ref={box}
      role="img"
      aria-label="Calls per second and durations of the last five minutes"
      data-drawn={isDrawn}
    />
  );
}
