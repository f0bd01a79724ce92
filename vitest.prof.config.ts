import base from './vitest.config.ts';
const c: any = base;
for (const p of c.test.projects) p.test.setupFiles = ['/tmp/cpu-setup2.ts', 'test/kit/setup.ts'];
export default c;
