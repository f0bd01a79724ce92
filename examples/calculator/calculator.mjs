#!/usr/bin/env node
// The calculator as a command of its own. loadApp runs TypeScript as it is; an app built to
// JavaScript is imported like any module.
import { loadApp } from 'everywire/node';

const app = await loadApp(new URL('./app.ts', import.meta.url));
await app.run(process.argv);
