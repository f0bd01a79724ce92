import { writeFileSync } from 'node:fs';
import { createApp, defineFunction } from 'everywire';

const wait = defineFunction({
  name: 'Wait',
  description: 'Says that it has begun, and waits until it is told to stop',
  input: {
    type: 'object',
    properties: { file: { type: 'string', description: 'Where it says so' } },
    required: ['file'],
  },
  output: { type: 'string', description: 'Nothing' },
  run: ({ file }, { signal }) => {
    writeFileSync(file, 'begun');
    const timer = setInterval(() => {}, 1000);
    return new Promise<string>((resolve) => {
      signal.addEventListener('abort', () => {
        clearInterval(timer);
        resolve('stopped');
      });
    });
  },
});

export default createApp({ name: 'Patient', version: '1.0.0', functions: [wait] });
