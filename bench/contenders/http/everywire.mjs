import { serve } from 'everywire/node';
import app from '../app.mjs';
import { tellParent } from '../tell-parent.mjs';

const { server } = await serve(app, { port: 0 });
tellParent(server.address().port);
