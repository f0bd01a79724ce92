import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { TaskCard } from './task-card.tsx';
import { listedTasks } from './task-list.ts';
import { watchTasks } from './task-watch.ts';

/** The tasks that this page has started or seen. */
export function Tasks(): JSX.Element {
  useEffect(watchTasks, []);
  return (
    <section class="tasks">
      <h1>Tasks</h1>
      {listedTasks.value.length === 0 && (
        <p class="empty">No tasks yet. Call a function that becomes a task, or open Live and wait for one.</p>
      )}
      <ul class="cards">
        {listedTasks.value.map((one) => (
          <TaskCard key={one.id} listed={one} />
        ))}
      </ul>
    </section>
  );
}
