/** Small line icons, drawn on a 20 px grid. */
const paths = {
  people:
    'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 16.5c.4-3 2.6-4.7 5.5-4.7s5.1 1.7 5.5 4.7M13 4a2.7 2.7 0 0 1 0 5.2M15 12.2c1.7.6 2.7 2.1 3 4.3',
  flask: 'M8 2.5v5L3.7 15.2a1.5 1.5 0 0 0 1.3 2.3h10a1.5 1.5 0 0 0 1.3-2.3L12 7.5v-5M6.8 2.5h6.4M6 12.5h8',
  ticket: 'M3 6.5h14v2.2a1.6 1.6 0 0 0 0 2.6v2.2H3v-2.2a1.6 1.6 0 0 0 0-2.6ZM12 6.5v7',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12ZM13.3 13.3 17 17',
  pin: 'M10 17.5s5.5-4.7 5.5-9a5.5 5.5 0 0 0-11 0c0 4.3 5.5 9 5.5 9ZM10 10.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z',
  headset:
    'M3.5 13v-2.5a6.5 6.5 0 0 1 13 0V13M3.5 12.5h1.8v4H4.5a1 1 0 0 1-1-1v-3ZM16.5 12.5h-1.8v4h.8a1 1 0 0 0 1-1v-3Z',
} as const;
export type CrmIconName = keyof typeof paths;

export function CrmIcon({ name }: { name: CrmIconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
