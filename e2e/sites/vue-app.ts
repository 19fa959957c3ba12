import { createApp, h, nextTick, ref } from 'vue';
import { rowsOf } from './rows.ts';

const generation = ref(-1);

createApp({
  render: () =>
    h(
      'ul',
      rowsOf(generation.value).map(({ id, phone, note }) =>
        h('li', { key: id }, ['Cliente ', String(id), ': ', phone, note ? h('b', ` ${note}`) : null]),
      ),
    ),
}).mount('#app');

Object.assign(window, {
  async render(next: number) {
    generation.value = next;
    await nextTick();
  },
});
