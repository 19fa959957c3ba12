/** Roundcube on Dovecot, with mails and contacts of ours, both as Debian packages them. */
import { chmod, chown, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Tab } from '../browsers/browser.ts';
import type { Cleanup } from '../cleanup.ts';
import { freePort } from '../servers/free-port.ts';
import { startServer } from '../servers/start-server.ts';
import { until } from '../until.ts';
import type { ApplicationPackages } from './application-packages.ts';
import { asMessage, type Mail, mails } from './mails.ts';
import { people } from './people.ts';

export interface Roundcube {
  /** Address of a task or action: `_task=mail`. */
  url(query: string, host?: string): string;
  logIn(tab: Tab, host: string): Promise<void>;
  /** Puts a mail into the inbox. */
  deliver(mail: Mail): Promise<void>;
  /** The contact's card as it is stored, by its position. */
  card(index: number): string;
}

const user = 'ana';
const password = 'secret';
/** How long a reader waits while Roundcube writes. Without it, the read fails at once. */
const busyTimeoutMs = 60_000;
/** Debian's nobody and nogroup: Dovecot refuses to let root read mail. */
const unprivileged = 65_534;

export async function startRoundcube(packages: ApplicationPackages, cleanup: Cleanup): Promise<Roundcube> {
  const folder = await cleanup.addFolder('roundcube');
  // Dovecot's processes run as another user, who must be able to enter this folder.
  await chmod(folder, 0o755);
  const imapPort = await freePort();
  const inbox = path.join(folder, 'mail', user);
  for (const name of ['cur', 'new', 'tmp', '.Archive/cur', '.Archive/new', '.Archive/tmp'])
    await mkdir(path.join(inbox, name), { recursive: true });
  for (const name of ['', '.Archive'])
    for (const part of ['', 'cur', 'new', 'tmp'])
      await chown(path.join(inbox, name, part), unprivileged, unprivileged);
  let delivered = 0;
  const deliver = async (mail: Mail) => {
    const index = delivered++;
    const file = path.join(inbox, 'new', `${1_700_000_000 + index}.M${index}.crm`);
    await writeFile(file, asMessage(mail, index));
    await chown(file, unprivileged, unprivileged);
  };
  for (const mail of mails) await deliver(mail);
  await writeFile(path.join(inbox, 'subscriptions'), 'Archive\n');
  await chown(path.join(inbox, 'subscriptions'), unprivileged, unprivileged);

  const dovecotFile = path.join(folder, 'dovecot.conf');
  await writeFile(dovecotFile, dovecotConfiguration(folder, imapPort));
  const dovecot = await startServer(packages.command('dovecot', '-F', '-c', dovecotFile), {
    ready: imapPort,
    ownGroup: true,
  });
  cleanup.add('Dovecot', () => dovecot.stop());

  const configuration = path.join(folder, 'config');
  for (const name of ['config', 'temp', 'logs']) await mkdir(path.join(folder, name));
  await writeFile(path.join(configuration, 'config.inc.php'), roundcubeConfiguration(folder, imapPort));
  await symlink('/etc/roundcube/defaults.inc.php', path.join(configuration, 'defaults.inc.php'));
  await symlink('/etc/roundcube/mimetypes.php', path.join(configuration, 'mimetypes.php'));
  const ini = path.join(folder, 'php.ini');
  await writeFile(ini, phpConfiguration);
  const database = path.join(folder, 'roundcube.db');
  fill(database, await readFile(packages.file('/usr/share/roundcube/SQL/sqlite.initial.sql'), 'utf8'));
  const port = await freePort();
  const php = await startServer(
    packages.command('php8.2', '-c', ini, '-S', `127.0.0.1:${port}`, '-t', '/var/lib/roundcube/public_html'),
    {
      ready: port,
      ownGroup: true,
      environment: { PHP_CLI_SERVER_WORKERS: '3', PHP_INI_SCAN_DIR: '', ROUNDCUBE_CONFIG_DIR: configuration },
    },
  );
  cleanup.add("Roundcube's web server", () => php.stop());
  const url = (query: string, host = '127.0.0.1') => `http://${host}:${port}/?${query}`;
  return {
    url,
    logIn: (tab, host) => logIn(tab, url('', host)),
    deliver,
    card(index) {
      const opened = new DatabaseSync(database, { readOnly: true, timeout: busyTimeoutMs });
      const row = opened.prepare('SELECT vcard FROM contacts WHERE contact_id = ?').get(index + 1);
      opened.close();
      return String((row as { vcard: string }).vcard);
    },
  };
}

function fill(file: string, schema: string): void {
  const database = new DatabaseSync(file);
  database.exec(schema);
  database
    .prepare(
      'INSERT INTO users (user_id, username, mail_host, created, language) ' +
        "VALUES (1, ?, '127.0.0.1', '2026-01-01', 'en_US')",
    )
    .run(user);
  database
    .prepare(
      "INSERT INTO identities (user_id, changed, standard, name, email) VALUES (1, '2026-01-01', 1, 'Ana', ?)",
    )
    .run(`${user}@crm.example`);
  const insert = database.prepare(
    'INSERT INTO contacts (user_id, changed, name, email, firstname, surname, vcard, words) ' +
      "VALUES (1, '2026-01-01', ?, ?, ?, ?, ?, '')",
  );
  for (const { name, mail, phone, order, taxId, since } of people) {
    const [first, ...rest] = name.split(' ');
    const card = [
      'BEGIN:VCARD',
      'VERSION:3.0',
      `N:${rest.join(' ')};${first};;;`,
      `FN:${name}`,
      `EMAIL;TYPE=INTERNET;TYPE=WORK:${mail}`,
      `TEL;TYPE=WORK:${phone}`,
      `NOTE:Ligar para ${phone}. Pedido ${order}\\, ${taxId}\\, ${since}`,
      'END:VCARD',
    ].join('\r\n');
    insert.run(name, mail, first!, rest.join(' '), card);
  }
  database.close();
}

const dovecotConfiguration = (folder: string, port: number) => `
base_dir = ${folder}/dovecot
state_dir = ${folder}/dovecot
log_path = ${folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
default_internal_user = nobody
default_internal_group = nogroup
default_login_user = nobody
first_valid_uid = 0
first_valid_gid = 0
mail_location = maildir:${folder}/mail/%n
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${unprivileged} gid=${unprivileged} home=${folder}/mail/%n
}
`;

const roundcubeConfiguration = (folder: string, imapPort: number) => `<?php
$config['db_dsnw'] = 'sqlite:///${folder}/roundcube.db?mode=0600';
$config['imap_host'] = '127.0.0.1:${imapPort}';
$config['smtp_host'] = '127.0.0.1:1';
$config['log_dir'] = '${folder}/logs';
$config['temp_dir'] = '${folder}/temp';
$config['des_key'] = 'dialmark-tests-24-bytes!';
$config['plugins'] = [];
$config['language'] = 'en_US';
$config['enable_installer'] = false;
$config['ip_check'] = false;
`;

const extensions =
  'ctype dom exif fileinfo iconv intl mbstring pdo pdo_sqlite posix simplexml sockets sqlite3 tokenizer ' +
  'xml xmlreader xmlwriter';
const phpConfiguration = `include_path = ".:/usr/share/php"
date.timezone = UTC
${extensions
  .split(' ')
  .map((name) => `extension=${name}`)
  .join('\n')}
`;

async function logIn(tab: Tab, address: string): Promise<void> {
  await tab.goto(address);
  await tab.fill('#rcmloginuser', user);
  await tab.fill('#rcmloginpwd', password);
  await tab.press('Enter');
  // A page that is being left cannot be asked.
  await until(() => tab.count('#messagelist').catch(() => 0), 'the list of mails');
}
