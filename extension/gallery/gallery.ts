/** The index: a link for each page in each state, in each theme and language, shown beside the list. */
import { languages } from '../text.ts';
import { pages, themes } from './states/page-state.ts';
import { stateAddress, states } from './states.ts';

const nav = document.querySelector('nav')!;

for (const page of pages) {
  const title = document.createElement('h2');
  title.textContent = page;
  const table = document.createElement('table');
  for (const state of states.filter((each) => each.page === page)) {
    const row = table.insertRow();
    const name = document.createElement('th');
    name.scope = 'row';
    name.textContent = state.name;
    row.append(name);
    for (const theme of themes) {
      const cell = row.insertCell();
      cell.append(theme === 'light' ? '☀' : '☾');
      for (const lang of languages) {
        const link = document.createElement('a');
        link.href = stateAddress(state, theme, lang);
        link.target = 'page';
        link.textContent = lang.slice(0, 2);
        link.ariaLabel = `${page}, ${state.name}, ${theme}, ${lang}`;
        cell.append(' ', link);
      }
    }
  }
  nav.append(title, table);
}
nav.querySelector('a')?.click();
