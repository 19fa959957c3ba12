import { render } from 'preact';
import { App } from './app.tsx';

/** `?still`: nothing on the page moves by itself, so that its serialised DOM can be compared. */
const still = new URLSearchParams(location.search).has('still');

render(<App still={still} />, document.getElementById('app')!);
