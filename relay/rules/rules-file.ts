/**
 * The operator's rules, read at the start and again when their file changes. A file that became wrong changes nothing:
 * the rules that were last read stay, and the log says what is wrong.
 */
import { unwatchFile, watchFile } from 'node:fs';
import type { Logger } from 'pino';
import {
  defaultRules,
  type NumberList,
  type ParsedRules,
  parseRules,
  type Rules,
} from '../../shared/protocol/rules.ts';
import type { RecordTemplate } from '../../shared/record/template.ts';
import { readTextFile } from '../../shared/server/environment.ts';
import type { Principal } from '../access/principal.ts';
import { type RelaySettings, settingsPrefix } from '../settings.ts';

/**
 * The time between two checks of the file. The file is polled because it may be on a network, or be a mounted secret
 * that is swapped.
 */
const pollIntervalMs = 1000;

/** @throws Error that names the file and what is wrong in it. */
function readRulesFile(path: string): ParsedRules {
  let text: string;
  try {
    text = readTextFile(path);
  } catch (error) {
    throw new Error(`${settingsPrefix}RULES_FILE: ${(error as Error).message}`);
  }
  try {
    return parseRules(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
}

const unset: ParsedRules = { common: defaultRules, byTeam: new Map(), lists: [] };

/** @param path absent: the default rules. @throws Error where the file cannot be read or is wrong. */
export const rulesOf = (path: string | undefined): ParsedRules =>
  path === undefined ? unset : readRulesFile(path);

/** The templates of every team. */
export const templatesOfRules = ({ common, byTeam }: ParsedRules): RecordTemplate[] =>
  [common, ...byTeam.values()].flatMap(({ templates }) => templates);

export function teamRulesOf(path: string | undefined, team: string | undefined): Rules {
  const { byTeam, common } = rulesOf(path);
  return (team !== undefined && byTeam.get(team)) || common;
}

/** The country and area code of numbers without them. A team may be in another country than the relay. */
export function homeOf(
  { country, areaCode }: Pick<RelaySettings, 'country' | 'areaCode'>,
  { numbers = {} }: Rules,
) {
  const home = numbers.country ?? country;
  return { country: home, areaCode: numbers.areaCode ?? (home === country ? areaCode : undefined) };
}

export class RulesSource {
  private rules: ParsedRules;
  private readonly listeners = new Set<() => void>();
  private readonly reload = () => this.readAgain();

  /**
   * @param path absent: the default rules, for ever.
   * @param refuses what the relay's settings refuse; only browsers get it with the rules.
   * @throws Error where the file cannot be read or is wrong.
   */
  constructor(
    private readonly path: string | undefined,
    private readonly log: Logger,
    private readonly refuses?: Rules['refuses'],
  ) {
    this.rules = rulesOf(path);
    if (path !== undefined) watchFile(path, { interval: pollIntervalMs, persistent: false }, this.reload);
  }

  /** The rules of keys without a team. */
  get current(): Rules {
    return this.rules.common;
  }

  get lists(): readonly NumberList[] {
    return this.rules.lists;
  }

  of(team: string | undefined): Rules {
    return (team !== undefined && this.rules.byTeam.get(team)) || this.rules.common;
  }

  /** The rules that the browser of a key gets. */
  forBrowser({ team, rights }: Pick<Principal, 'team' | 'rights'>): Rules {
    return {
      ...this.of(team),
      ...(this.refuses && { refuses: this.refuses }),
      ...(rights.includes('override') && { mayOverride: true }),
    };
  }

  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  close(): void {
    if (this.path !== undefined) unwatchFile(this.path, this.reload);
  }

  private readAgain(): void {
    try {
      const rules = readRulesFile(this.path!);
      if (rulesTextOf(rules) === rulesTextOf(this.rules)) return;
      this.rules = rules;
    } catch (error) {
      this.log.error(
        { error: (error as Error).message },
        'the rules file is wrong; the rules stay as they were',
      );
      return;
    }
    const { common, byTeam, lists } = this.rules;
    this.log.info(
      {
        templates: common.templates.length,
        outcomes: common.outcomes.length,
        teams: byTeam.size,
        lists: lists.length,
      },
      'rules read again',
    );
    for (const listener of this.listeners) listener();
  }
}

const rulesTextOf = ({ byTeam, ...rest }: ParsedRules): string => JSON.stringify([rest, [...byTeam]]);
