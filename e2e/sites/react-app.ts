import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { rowsOf } from './rows.ts';

const root = createRoot(document.querySelector('#app')!);

const list = (generation: number) =>
  createElement(
    'ul',
    null,
    rowsOf(generation).map(({ id, phone, note }) =>
      createElement(
        'li',
        { key: id },
        'Cliente ',
        id,
        ': ',
        phone,
        note ? createElement('b', null, ' ', note) : null,
      ),
    ),
  );

Object.assign(window, {
  render: (generation: number) => flushSync(() => root.render(list(generation))),
});
