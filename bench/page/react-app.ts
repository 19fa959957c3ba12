import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

declare global {
  interface Window {
    rowCount: number;
    phoneOf(id: number, generation: number): string;
    render(generation: number): void;
  }
}

const root = createRoot(document.querySelector('#app')!);

/** Every third generation reverses the rows, the next omits some: keyed moves and removals. */
window.render = (generation) => {
  let ids = Array.from({ length: window.rowCount }, (_, id) => id);
  if (generation % 3 === 1) ids.reverse();
  if (generation % 3 === 2) ids = ids.filter((id) => id % 10 !== 0);
  flushSync(() =>
    root.render(
      createElement(
        'ul',
        null,
        ids.map((id) =>
          createElement(
            'li',
            { key: id },
            `Cliente ${id} `,
            createElement('span', null, 'tel. ', window.phoneOf(id, generation)),
            id % 2 ? ' ativo' : null,
          ),
        ),
      ),
    ),
  );
};
window.render(0);
