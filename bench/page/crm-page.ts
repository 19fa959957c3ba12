/** The pages that every contender gets: a CRM's list with one number a row, generated deterministically. */

/** The same number for the same row and generation, in every run and in the page itself. */
function phoneOf(id: number, generation: number): string {
  const mixed = Math.imul(id * 31 + generation * 7919 + 17, 2654435761) >>> 0;
  const last = 1000 + (mixed % 9000);
  const first = 1000 + ((mixed >>> 13) % 9000);
  const area = [11, 21, 31, 41, 48, 51, 61, 71, 85][id % 9];
  return [`(${area}) 9${first}-${last}`, `+55 ${area} 9${first}-${last}`, `${area} 9${first} ${last}`][
    id % 3
  ]!;
}

const shell = (body: string) =>
  `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><title>CRM</title><style>
body{font:14px system-ui,sans-serif;margin:16px}
table{border-collapse:collapse;width:100%}td{border-bottom:1px solid #ddd;padding:6px}
</style></head><body>${body}</body></html>`;

/** Four columns: a name, a number, a price beside a date, and a sentence. */
export function staticPage(count: number): string {
  const rows = Array.from(
    { length: count },
    (_, id) =>
      `<tr><td>Cliente ${id}</td><td>Tel. ${phoneOf(id, 0)}</td>` +
      `<td>R$ ${100 + (id % 900)},90 em ${1 + (id % 28)}/05/2026</td>` +
      `<td>Pedido ${100000 + id} entregue, falar com <b>Ana</b>.</td></tr>`,
  );
  return shell(`<h1>Contatos</h1><table><tbody>${rows.join('')}</tbody></table><div id="log"></div>`);
}

/** The page's `render(generation)` renders every row with React: the same rows, keyed by id, with other numbers. */
export function reactPage(count: number): string {
  return shell(
    `<h1>Contatos</h1><div id="app"></div>
      <script>window.rowCount=${count};window.phoneOf=${phoneOf}</script><script src="/react-app.js"></script>`,
  );
}
