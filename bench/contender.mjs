import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PATIENCE = 10_000;

/** Starts a contender in a process of its own. Whoever starts one must stop it. */
export async function start(name) {
  const child = fork(fileURLToPath(new URL(`contenders/${name}.mjs`, import.meta.url)), {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const stop = () => end(child);
  try {
    const { port } = await hear(child, name);
    return { name, url: `http://127.0.0.1:${port}/functions/Add`, usage: () => hear(child, name, 'usage'), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The next thing a contender says, to a question or by itself. */
function hear(child, name, question) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(settle, PATIENCE, reject, new Error(`${name} said nothing for ${PATIENCE} ms`));
    const speak = (message) => settle(resolve, message);
    const leave = () => settle(reject, new Error(`${name} ended before its time`));
    child.once('message', speak).once('exit', leave);
    if (question) child.send(question, (error) => error && leave());

    function settle(how, value) {
      clearTimeout(timer);
      child.off('message', speak).off('exit', leave);
      how(value);
    }
  });
}

/** Hangs up, on which a contender leaves; one that does not is killed. */
async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
  if (child.connected) child.disconnect();
  await exited;
  clearTimeout(timer);
}
