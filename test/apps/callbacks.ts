import { createFailingApp } from '../callbacks/app.ts';

export default createFailingApp('shown');
