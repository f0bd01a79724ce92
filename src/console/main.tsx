import { render } from 'preact';
import { Page } from './page.tsx';
import { load } from './catalogue.ts';

void load();
render(<Page />, document.getElementById('app')!);
