import UPlot from 'uplot';
import type { Series } from './series.ts';

export interface Plot {
  update(series: Series): void;
  destroy(): void;
}

const HEIGHT = 160;

const clock = (seconds: number) =>
  new Date(seconds * 1000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Two charts, as wide as their place. */
export function createPlots(box: HTMLElement): Plot {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour('--muted'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
  const create = (title: string, series: UPlot.Series[]) => {
    const place = document.createElement('div');
    box.append(place);
    return new UPlot(
      {
        title,
        width: Math.max(240, place.clientWidth),
        height: HEIGHT,
        legend: { live: false },
        cursor: { show: false },
        scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] } },
        axes: [
          { ...axis, values: (_, times) => times.map(clock) },
          { ...axis, size: 48 },
        ],
        series: [{}, ...series],
      },
      [[], ...series.map(() => [])] as never,
      place,
    );
  };
  /** A second without a call has no duration: points show those between. */
  const line = (label: string, name: string, fill?: string): UPlot.Series => ({
    label,
    stroke: colour(name),
    width: 1.5,
    spanGaps: true,
    points: { show: fill === undefined, size: 4 },
    ...(fill && { fill: colour(fill) }),
  });
  const rate = create('Calls per second', [line('calls', '--accent', '--accent-soft')]);
  const durations = create('Duration in milliseconds', [
    line('p50', '--good'),
    line('p95', '--accent'),
    line('p99', '--danger'),
  ]);
  const all = [rate, durations];
  const observer = new ResizeObserver(() => {
    for (const one of all) one.setSize({ width: Math.max(240, one.root.parentElement!.clientWidth), height: HEIGHT });
  });
  observer.observe(box);
  return {
    update({ times, calls, p50, p95, p99 }) {
      rate.setData([times, calls]);
      durations.setData([times, p50, p95, p99]);
    },
    destroy() {
      observer.disconnect();
      for (const one of all) one.destroy();
    },
  };
}
