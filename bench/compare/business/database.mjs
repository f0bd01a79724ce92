import { setTimeout as sleep } from 'node:timers/promises';

/** Stands for a pool of connections. It tells on stderr what happens to it, which the check of the task reads. */
export async function connect() {
  let underWay = 0;
  console.error('database: opened');
  return {
    async stockOf(product) {
      underWay++;
      console.error('database: asked');
      await sleep(500);
      underWay--;
      return product === 'tea' ? 12 : 3;
    },
    async close() {
      console.error(`database: closed with ${underWay} under way`);
    },
  };
}
