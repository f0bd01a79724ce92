import express from 'express';
import { input } from '../add-zod.mjs';
import { tellParent } from '../tell-parent.mjs';

const app = express();

app.post('/functions/Add', express.json(), (request, response) => {
  const { success, data, error } = input.safeParse(request.body);
  if (success) response.json({ result: data.x + data.y });
  else response.status(400).json({ error: error.message });
});

const server = app.listen(0, '127.0.0.1', () => tellParent(server.address().port));
