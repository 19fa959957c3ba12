import { useState } from 'preact/hooks';
import {
  applyFieldMap,
  type FieldMap,
  type FieldMapProblem,
  fieldMapProblems,
  notificationFields,
  parsePairs,
} from '../../../shared/service/field-map.ts';
import type { ApiVersion } from '../../../shared/service/request.ts';
import { valueAt } from '../../dotted-path.ts';
import { isTextKey, text } from '../../text.ts';
import { Button, FieldNotes, IconButton } from '../parts/form.tsx';
import { plainText } from '../parts/plain-text.ts';
import { exampleNotification } from './example-notification.ts';
import { useField } from './fields.tsx';
import { useForm } from './settings-form.ts';

const path = 'connection.direct.map';
type Pair = readonly [field: string, name: string];

/** Edits the field map (`map`): shows every problem and a preview of the resulting notification. */
export function FieldMapEditor() {
  const { draft } = useForm();
  const { value, locked, set } = useField(path);
  const stored = typeof value === 'string' ? value : '';
  const [edited, setEdited] = useState<readonly Pair[]>();
  // Edited pairs may have empty names, which the stored text cannot; a text from elsewhere (import, discard) wins.
  const pairs: readonly Pair[] = edited && format(edited) === stored ? edited : parsePairs(stored).pairs;
  const problems = fieldMapProblems(pairs);

  function change(next: readonly Pair[]) {
    setEdited(next);
    set(format(next));
  }

  const unused = notificationFields.find((field) => !pairs.some(([used]) => used === field)) ?? 'callid';
  return (
    <fieldset class="stack" disabled={locked} id="field-map">
      <legend>{text('options_map')}</legend>
      <FieldNotes id="field-map" help={text('options_mapHelp')} locked={locked} />
      {pairs.map(([field, name], index) => {
        const reasons = problems.filter((problem) => concerns(problem, field, name));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a pair is its place; both of its words are being edited.
          <div key={index} class="map-pair">
            <select
              aria-label={text('options_mapField')}
              value={field}
              onChange={({ currentTarget }) => change(pairs.with(index, [currentTarget.value, name]))}
            >
              {notificationFields.map((option) => (
                <option key={option} value={option} selected={option === field}>
                  {option}
                </option>
              ))}
            </select>
            <span aria-hidden="true">→</span>
            <input
              {...plainText}
              type="text"
              aria-label={text('options_mapName', field)}
              aria-invalid={reasons.length > 0}
              aria-describedby={`map-problems-${index}`}
              value={name}
              onInput={({ currentTarget }) => change(pairs.with(index, [field, currentTarget.value.trim()]))}
            />
            {!locked && (
              <IconButton
                icon="remove"
                label={text('options_mapRemove', field)}
                onClick={() => change(pairs.toSpliced(index, 1))}
              />
            )}
            <p class="problem" id={`map-problems-${index}`}>
              {reasons.map(problemText).join(' ')}
            </p>
          </div>
        );
      })}
      {!locked && (
        <Button
          id="add-map"
          icon="add"
          label={text('options_mapAdd')}
          onClick={() => change([...pairs, [unused, '']])}
        />
      )}
      {pairs.length > 0 && problems.length === 0 && (
        <Preview pairs={pairs} version={valueAt(draft, 'connection.direct.version') === 'v2' ? 'v2' : 'v1'} />
      )}
    </fieldset>
  );
}

/** The notification that the service would send with these names. */
function Preview({ pairs, version }: { pairs: readonly Pair[]; version: ApiVersion }) {
  const renamed = applyFieldMap(exampleNotification(version), Object.fromEntries(pairs) as FieldMap);
  return (
    <details id="map-preview">
      <summary>{text('options_mapPreview')}</summary>
      <pre>
        <code>{JSON.stringify(renamed, null, 2)}</code>
      </pre>
    </details>
  );
}

const format = (pairs: readonly Pair[]) => pairs.map(([field, name]) => `${field}:${name}`).join(',');

function concerns(problem: FieldMapProblem, field: string, name: string): boolean {
  if ('field' in problem && problem.field !== field) return false;
  return !('name' in problem) || problem.name === name;
}

function problemText(problem: FieldMapProblem): string {
  const subject = 'name' in problem ? problem.name : 'field' in problem ? problem.field : problem.part;
  const key = `options_mapProblem_${problem.code}`;
  return isTextKey(key) ? text(key, subject) : text('page_problem_map');
}
