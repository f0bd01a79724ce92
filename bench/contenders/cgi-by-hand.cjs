// The limit of a script that does the job: no framework at all. CommonJS, which Node starts sooner.
const { readSync, writeSync } = require('node:fs');

const { CONTENT_LENGTH, PATH_INFO, REQUEST_METHOD } = process.env;

if (REQUEST_METHOD !== 'POST' || PATH_INFO !== '/Add') reply('404 Not Found', '{"error":"not found"}');
else {
  const input = parse(read(Number(CONTENT_LENGTH)));
  if (Number.isInteger(input?.x) && Number.isInteger(input?.y)) reply('200 OK', `{"result":${input.x + input.y}}`);
  else reply('400 Bad Request', '{"error":"x and y must be integers"}');
}

function read(length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length;) {
    const came = readSync(0, bytes, at, length - at, null);
    if (came === 0) break;
    at += came;
  }
  return bytes.toString();
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reply(status, body) {
  const head = `Status: ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  writeSync(1, `${head}\r\n${body}`);
}
