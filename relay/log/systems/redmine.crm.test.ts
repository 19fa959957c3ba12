/** The connector for Redmine, at a real one. */
import { expect, it } from 'vitest';
import { connectorContract } from '../../../testing/crm/connector-contract.ts';
import { startRedmine } from '../../../testing/crm/real-redmine.ts';

const world = connectorContract(startRedmine);

it('says of a deleted issue that it is gone', async () => {
  const { crm, log } = world();
  const issue = await crm.addRecord();
  await crm.remove(issue);
  const { entry } = await log(issue, 'needsAgent');
  expect((await entry())!.reason).toBe('notFound');
});

it('asks the agent about issues of closed or archived projects, or that the agent may not see', async () => {
  const { crm, log } = world();
  const [closed, archived, unseen] = [await crm.addRecord(), await crm.addRecord(), await crm.addRecord()];
  await crm.ruby(`def move(id, name, **attributes)
  project = Project.create!(name: name, identifier: name, trackers: Tracker.all, **attributes)
  Issue.find(id).update!(project: project)
  project
end
move(${closed}, 'closed').close
move(${archived}, 'archived').archive
move(${unseen}, 'unseen', is_public: false)`);
  for (const issue of [closed, archived, unseen]) {
    const { entry } = await log(issue, 'needsAgent');
    expect((await entry())!.reason).toBe('forbidden');
  }
});

it('logs on an issue that was moved to another project, under the same number', async () => {
  const { crm, log } = world();
  const issue = await crm.addRecord();
  await crm.ruby(`project = Project.create!(name: 'Sales', identifier: 'sales', trackers: Tracker.all)
Member.create!(project: project, user: User.find_by_login('rui'), roles: [Role.where(builtin: 0).first])
Issue.find(${issue}).update!(project: project)`);
  const { call } = await log(issue, 'done');
  expect((await crm.texts(issue)).at(-1)).toMatch(new RegExp(`dialmark:${call.id}$`));
});

it('logs on an issue that another program has changed with an empty note', async () => {
  const { crm, log } = world();
  const issue = await crm.addRecord();
  await crm.ruby(`issue = Issue.find(${issue})
issue.init_journal(User.find_by_login('admin'), nil)
issue.update!(subject: 'Another')`);
  await log(issue, 'done');
});

it('asks the agent where the agent may edit issues, but not add notes', async () => {
  const { crm, log } = world();
  const issue = await crm.addRecord();
  await crm.ruby(`project = Project.create!(name: 'Silent', identifier: 'silent', trackers: Tracker.all)
role = Role.create!(name: 'Editors', permissions: [:view_issues, :edit_issues])
Member.create!(project: project, user: User.find_by_login('rui'), roles: [role])
Issue.find(${issue}).update!(project: project)`);
  const { entry } = await log(issue, 'needsAgent');
  expect((await entry())!.reason).toBe('notesNotAllowed');
});

it('names at a check a login of _USERS that does not exist', async () => {
  const { connector, client } = world().connect({ USERS: '1105=rui,1106=removed' });
  const refused = { kind: 'misconfigured', reason: 'unknownUser:removed' };
  await expect(connector.check(client, [world().crm.kind])).rejects.toMatchObject(refused);
});

it('names at a check the right that an agent of _USERS lacks', async () => {
  const { crm, connect } = world();
  await crm.ruby(`role = Role.create!(name: 'Watchers', permissions: [:view_issues])
project = Project.create!(name: 'Archive', identifier: 'archive', trackers: Tracker.all)
Member.create!(project: project, user: User.find_by_login('rui'), roles: [role])`);
  const { connector, client } = connect();
  const { missing } = await connector.check(client, ['issue']);
  expect(missing).toContain('"Add notes" in Archive for rui');
});
