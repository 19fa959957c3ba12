/** Every state of the extension's pages: what the background replies in it, and what a person does to get there. */
import { callPage } from './states/call.ts';
import { options } from './states/options.ts';
import { address, type OwnState, type PageState } from './states/page-state.ts';
import { popup } from './states/popup.ts';
import { registration } from './states/registration.ts';
import { broken } from './states/samples.ts';
import { welcome } from './states/welcome.ts';

const ofEveryPage: readonly OwnState[] = [
  { name: 'Loading', pending: ['page.settings'] },
  { name: 'Error: no reply', replies: () => ({ 'page.settings': broken }) },
];

export const pageStates: readonly PageState[] = Object.entries({
  options,
  popup,
  call: callPage,
  welcome,
  registration,
  privacy: [{ name: 'Filled' }],
}).flatMap(([page, own]) =>
  [...own, ...ofEveryPage].map((state) => ({ page: page as PageState['page'], ...state })),
);

/** Address of a page in a state, in the gallery. */
export function stateAddress({ page, name, query }: PageState, theme: string, lang: string): string {
  return `/extension/pages/${page}/index.html?${new URLSearchParams({ ...query, state: name, theme, lang })}`;
}

/** The state that this document's address names. */
export function findState(): PageState {
  const page = location.pathname.split('/').at(-2);
  const name = address.get('state');
  const found = pageStates.find((state) => state.page === page && (name === null || state.name === name));
  if (!found) throw new Error(`no state "${name}" of the page "${page}" in the gallery`);
  return found;
}
