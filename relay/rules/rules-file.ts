/**
 * The operator's rules, read at the start and again when their file changes. A file that became wrong changes nothing: the rules
 * that were last read stay, and the log says what is wrong.
 */
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Logger } from 'pino';
import { defaultRules, parseRules, type Rules } from '../../shared/protocol/rules.ts';

/** Between two looks at the file's time: it may lie on a network, or be a mounted secret that is swapped. */
const pollIntervalMs = 1000;

/** @throws Error that names the file and what is wrong in it. */
export function readRulesFile(path: string): Rules {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
  try {
    return parseRules(json);
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
}

/** @param path absent: the default rules. @throws Error where the file cannot be read or is wrong. */
export const rulesOf = (path: string | undefined): Rules =>
  path === undefined ? defaultRules : readRulesFile(path);

export class RulesSource {
  private rules: Rules;
  private readonly listeners = new Set<(rules: Rules) => void>();
  private readonly reload = () => this.readAgain();

  /** @param path absent: the default rules, for ever. @throws Error where the file cannot be read or is wrong. */
  constructor(
    private readonly path: string | undefined,
    private readonly log: Logger,
  ) {
    this.rules = rulesOf(path);
    if (path !== undefined) watchFile(path, { interval: pollIntervalMs, persistent: false }, this.reload);
  }

  get current(): Rules {
    return this.rules;
  }

  onChange(listener: (rules: Rules) => void): void {
    this.listeners.add(listener);
  }

  close(): void {
    if (this.path !== undefined) unwatchFile(this.path, this.reload);
  }

  private readAgain(): void {
    try {
      const rules = readRulesFile(this.path!);
      if (JSON.stringify(rules) === JSON.stringify(this.rules)) return;
      this.rules = rules;
    } catch (error) {
      this.log.error(
        { error: (error as Error).message },
        'the rules file is wrong; the rules stay as they were',
      );
      return;
    }
    this.log.info(
      { templates: this.rules.templates.length, outcomes: this.rules.outcomes.length },
      'rules read again',
    );
    for (const listener of this.listeners) listener(this.rules);
  }
}
