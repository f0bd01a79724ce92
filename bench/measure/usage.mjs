import { readFileSync, readdirSync } from 'node:fs';

// What the kernel counts processor time in, whatever it measures it with; a hundredth of a second on every Linux.
const TICK = 10_000;

/**
 * Microseconds of processor and bytes of memory that a group of processes has used. Asked of the kernel, because a
 * server on stdio can be asked nothing else, and of the group, because some run in more than one process.
 */
export function usageOf(leader) {
  const usage = { cpu: 0, rss: 0 };
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const [state, , group, ...rest] = fieldsOf(pid);
    if (Number(group) !== leader || state === 'Z') continue;
    // Fields 14 to 17 of proc(5): its own time as user and system, and that of its children that have ended.
    usage.cpu += rest.slice(8, 12).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK;
    usage.rss += residentOf(pid);
  }
  if (usage.rss === 0) throw new Error(`nothing is left of process ${leader}`);
  return usage;
}

/** What requests have cost, from the usage before and after them. */
export function costOf(before, after, requests, elapsed) {
  const cpu = after.cpu - before.cpu;
  return { rate: requests / elapsed, cpu: cpu / requests, rss: after.rss, busy: cpu / 1e6 / elapsed };
}

/** From the third field on: the second is a name, and may hold blanks and parentheses. */
function fieldsOf(pid) {
  const text = read(pid, 'stat');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function residentOf(pid) {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(pid, 'status'))?.[1] ?? 0) * 1024;
}

function read(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return ''; // it has ended meanwhile
  }
}
