import type { Behaviour } from '../every-wire.ts';
import { answers, invalidArguments, invalidOutput } from './answers.ts';

const SHA256 = '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03';
const about = { app: 'uploads', proves: ['file.everywhere', 'body.same-bytes'] } as const;

/** Files in JSON, which every wire carries. */
export const files: readonly Behaviour[] = [
  {
    ...about,
    title: 'a file in base64',
    function: 'Hash',
    send: { arguments: { file: { name: '../b.txt', type: 'text/plain', data: 'aGVsbG8K' }, note: 'x' } },
    answer: answers({ result: { name: 'b.txt', type: 'text/plain', size: 6, sha256: SHA256, note: 'x' } }),
  },
  {
    ...about,
    title: 'a file without a name',
    function: 'Hash',
    send: { arguments: { file: { data: 'aGVsbG8K' } } },
    answer: answers({ result: { name: '', type: '', size: 6, sha256: SHA256 } }),
  },
  {
    ...about,
    title: 'a file that is not base64',
    function: 'Hash',
    send: { arguments: { file: { data: '?' } } },
    answer: invalidArguments('/file/data: expected base64 string, got "?"'),
  },
  {
    ...about,
    title: 'a file inside a result',
    function: 'Inside',
    except: { process: 'returns a File' },
    send: { arguments: { size: 3 } },
    answer: answers({ result: { title: 'abc', file: { name: 'a.txt', type: 'text/plain', data: 'YWFh' } } }),
  },
  {
    ...about,
    title: 'something else than a file',
    function: 'Text',
    send: { arguments: { text: 'x', as: 'nothing' } },
    answer: invalidOutput('expected a file, got "no file"'),
  },
];
