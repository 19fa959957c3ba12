/** Icons of the pages' buttons, 24 units square, stroked. Hidden from screen readers: the button has a name. */
const paths = {
  phone:
    'M6.5 3.5h3l1.5 4-2 1.5a11 11 0 0 0 6 6l1.5-2 4 1.5v3a2 2 0 0 1-2.2 2A16.5 16.5 0 0 1 4.5 5.7a2 2 0 0 1 2-2.2z',
  again: 'M4 12a8 8 0 1 1 2.5 5.8M4 19v-4.5h4.5',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M13 4.8v4.4M7 14.8v4.4',
  panel: 'M4 5h16v14H4zM14.5 5v14',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.3 15.3 20 20',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  remove: 'M6 6l12 12M18 6 6 18',
  add: 'M12 5v14M5 12h14',
  note: 'M5 4h14v11l-5 5H5zM14 20v-5h5',
  play: 'M8 5.5v13l11-6.5z',
  answered: 'M5 12.5 10 17.5 19 7',
  missed: 'M5 8l6 6 8-8M5 8v5M5 8h5',
  failed: 'M7 7l10 10M17 7 7 17',
  unknown: 'M9 9.2a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1.1-1.4 2.1M12 17.6v.2',
  ongoing: 'M5 12h.01M12 12h.01M19 12h.01',
  download: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
} as const;
export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
