// Fills a file with one letter after the other, with every kind of write, until it is killed.
import { createFiles } from 'everywire';
import { hostFolder } from 'everywire/node';

const SIZE = 300_000;
const files = createFiles([{ at: '/', folder: hostFolder(process.argv[2]) }]).open();
const filled = (letter) => letter.repeat(SIZE);
await files.write('file', filled('a'));
process.stdout.write('ready\n');
for (;;) {
  await files.write('file', filled('b'));
  await files.rewrite('file', 0, filled('c'));
  await files.write('other', filled('d'));
  await files.copy('other', 'file');
}
