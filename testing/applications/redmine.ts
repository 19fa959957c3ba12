/** Fills Redmine with our people: issues with their phones, a page of its wiki, and news. */
import type { Tab } from '../browsers/browser.ts';
import type { Cleanup } from '../cleanup.ts';
import { serveRedmine } from '../crm/real-redmine.ts';
import { until } from '../until.ts';
import { mails } from './mails.ts';
import { people, phones } from './people.ts';

export type View = 'list' | 'issue' | 'form' | 'project' | 'wiki' | 'news' | 'search';

const ruby = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const contacts = people.map(
  ({ name, phone, order }) => `* ${name}, tel. ${phone}, pedido ${order}, atendido em 23/11/2026`,
);

const seed = `phone = IssueCustomField.create!(name: 'Telefone', field_format: 'string', is_for_all: true,
  is_filter: true, trackers: Tracker.all)
contract = IssueCustomField.create!(name: 'Contrato', field_format: 'string', is_for_all: true, trackers: Tracker.all)
project = Project.find_by_identifier('support')
admin = User.find_by_login('admin')
people = [${people.map(({ name, phone, order }) => `[${[name, phone, order].map(ruby).join(', ')}]`).join(', ')}]
people.each do |name, number, order|
  issue = Issue.new(project: project, tracker: Tracker.first, author: admin, status: IssueStatus.first,
    priority: IssuePriority.first, subject: "Pedido #{order} de #{name}", description: ${ruby(mails[0]!.body)})
  issue.custom_field_values = { phone.id => number, contract.id => order }
  issue.save!
end
wiki = project.wiki || Wiki.create!(project: project, start_page: 'Wiki')
page = WikiPage.new(wiki: wiki, title: 'Wiki')
page.save_with_content(WikiContent.new(page: page, author: admin, text: ${ruby(contacts.join('\n'))}))
News.create!(project: project, author: admin, title: 'Novo fornecedor', description: ${ruby(contacts[1]!)})
`;

/** The numbers that each view shows. The third issue belongs to the first of `people`. */
export const shownPhones: Readonly<Record<View, readonly string[]>> = {
  list: phones,
  issue: [people[0]!.phone, ...mails[0]!.wanted],
  form: [people[0]!.phone],
  project: [],
  wiki: phones,
  news: [people[1]!.phone],
  search: [people[1]!.phone],
};

const paths: Readonly<Record<View, string>> = {
  list: 'issues?set_filter=1&sort=id&c[]=subject&c[]=cf_1&c[]=cf_2&c[]=updated_on',
  issue: 'issues/3',
  form: 'issues/3/edit',
  project: 'projects/support',
  wiki: 'projects/support/wiki',
  news: 'projects/support/news',
  search: 'search?q=fornecedor&news=1',
};

export interface Redmine {
  /** The address of one of its views of our people. */
  url(view: View, host?: string): string;
  logIn(tab: Tab, host?: string): Promise<void>;
}

/** @throws Error saying what is missing. */
export async function startRedmineWithPeople(cleanup: Cleanup): Promise<Redmine> {
  const { url } = await serveRedmine(cleanup, seed);
  const at = (host: string, page: string) => `${url.replace('127.0.0.1', host)}/${page}`;
  return {
    url: (view, host = '127.0.0.1') => at(host, paths[view]),
    async logIn(tab, host = '127.0.0.1') {
      await tab.goto(at(host, 'login'));
      await tab.fill('#username', 'admin');
      await tab.fill('#password', 'admin');
      await tab.press('Enter');
      await until(() => tab.count('a.logout').catch(() => 0), 'the page after the login');
    },
  };
}
