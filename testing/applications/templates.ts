/** Serves AdminLTE's and Tabler's own pages and scripts, with our people in them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { serveAsync } from '../servers/serve-async.ts';
import { type ApplicationPackages, templatePackages } from './application-packages.ts';
import { people } from './people.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

/** @returns `url`, which makes the address of a page from its path in the package, and `close`. */
export async function serveTemplates(packages: ApplicationPackages) {
  const { port, close } = await serveAsync(async (request, response) => {
    const { pathname } = new URL(request.url!, 'http://127.0.0.1');
    const name = templatePackages.find((each) => pathname.startsWith(`/${each}/`));
    const file =
      name && path.join(packages.template(name), decodeURIComponent(pathname.slice(name.length + 2)));
    const body = file && (await readFile(file).catch(() => undefined));
    const type = types[path.extname(pathname)] ?? 'application/octet-stream';
    if (!body) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': type });
    response.end(type.startsWith('text/html') ? withPeople(String(body)) : body);
  });
  return {
    url: (page: string, host = '127.0.0.1') => `http://${host}:${port}/${page}`,
    close,
  };
}

/** Puts our people into AdminLTE's table and board, and into Tabler's cards. Libraries come from this server. */
function withPeople(html: string): string {
  let next = 0;
  const rows = people.map(({ name, phone, order, taxId, since }) => ({ name, phone, order, taxId, since }));
  const columns = [
    { title: 'Nome', field: 'name', headerFilter: 'input' },
    { title: 'Telefone', field: 'phone', width: 180 },
    { title: 'Pedido', field: 'order', editor: 'input' },
    { title: 'CNPJ', field: 'taxId' },
    { title: 'Cliente desde', field: 'since' },
  ];
  return html
    .replaceAll('https://cdn.jsdelivr.net/npm/', '/')
    .replace('data: data,', `data: window.people = ${JSON.stringify(rows)},`)
    .replace(/columns: \[[\s\S]*?\n {10}\],/, `columns: ${JSON.stringify(columns)},`)
    .replace('Build kanban board demo', `Ligar para ${people[0]!.name}: ${people[0]!.phone}`)
    .replaceAll(/<div class="text-secondary">[^<]+<\/div>\s*<div class="mt-3">/g, (found) => {
      const person = people[next++];
      return person
        ? `<div class="text-secondary">${person.phone}</div><div>Pedido ${person.order}</div><div class="mt-3">`
        : found;
    });
}
