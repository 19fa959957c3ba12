import type { DirectoryName, NumberStatus } from '../../shared/protocol/number-status.ts';
import type { FoundPerson, PeopleOfNumber } from './index/directory-index.ts';
import { searchWordsOf } from './words.ts';

const maxNames = 5;

export type Names = Pick<NumberStatus, 'names' | 'count' | 'organisation'>;

/** If two sources have a person under the same name, the person counts once. */
export function namesOf({ people, count }: PeopleOfNumber): Names {
  const byName = new Map<string, FoundPerson>();
  for (const person of people) {
    const key = `${searchWordsOf(person.name)}|${searchWordsOf(person.organisation ?? '')}`;
    if (!byName.has(key)) byName.set(key, person);
  }
  const distinct = [...byName.values()];
  const [first] = distinct;
  const organisation = first?.organisation;
  const isShared = organisation !== undefined && distinct.every((each) => each.organisation === organisation);
  return {
    names: distinct.slice(0, maxNames).map(
      ({ name, organisation, role, source }): DirectoryName => ({
        ...{ name, source },
        ...(organisation ? { organisation } : {}),
        ...(role ? { role } : {}),
      }),
    ),
    count: count - (people.length - distinct.length),
    ...(isShared ? { organisation } : {}),
  };
}
