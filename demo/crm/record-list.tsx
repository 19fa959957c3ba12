interface ListedRecord {
  id: string;
  title: string;
  detail: string;
  phone?: string;
}

interface RecordListProps {
  label: string;
  /** First part of the rows' addresses. */
  view: string;
  rows: readonly ListedRecord[];
  /** Id of the record that is shown beside the list. */
  selected: string;
}

export function RecordList({ label, view, rows, selected }: RecordListProps) {
  return (
    <section class="list" aria-label={label}>
      <ul>
        {rows.map(({ id, title, detail, phone }) => (
          <li key={id} class={id === selected ? 'row selected' : 'row'}>
            <a href={`#/${view}/${id}`} aria-current={id === selected ? 'true' : undefined}>
              {title}
            </a>
            <span class="quiet">{detail}</span>
            {phone && <span class="row-phone">{phone}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
