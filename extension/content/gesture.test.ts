import { expect, test } from 'vitest';
import { gestureStep } from './gesture.ts';
import { type Effect, type Input, initialState, type State, type Subject } from './gesture-state.ts';

type Fed = Input<Subject> extends infer Each ? (Each extends unknown ? Omit<Each, 'at'> : never) : never;
/** An input so many milliseconds after the one before. */
type Row = [afterMs: number, input: Fed];

const subject = (kind: Subject['kind'], to = '1'): Subject => ({
  kind,
  key: {},
  source: { text: `text ${to}` },
  number: { display: `display ${to}`, to },
});
const mark = subject('mark');
const link = subject('link', '2');
const control = subject('control', '3');
/** The same link in a row that the page has rendered again. */
const linkAgain = { ...link, key: {} };

const facts = { x: 0, y: 0, isPlain: true, isOurs: false, isStill: true, selection: '', isTrusted: true };
const move = (target?: Subject): Fed => ({
  type: 'move',
  x: 0,
  y: 0,
  pointerType: 'mouse',
  isByHand: true,
  hasOurFocus: false,
  target,
});
const down = (target?: Subject, fields: object = {}): Fed => ({
  type: 'down',
  ...facts,
  pointerType: 'mouse',
  isPrimary: true,
  isOnTop: true,
  target,
  ...fields,
});
const click = (target?: Subject, fields: object = {}): Fed => ({
  type: 'click',
  ...facts,
  pointerType: 'mouse',
  clicks: 1,
  target,
  link: target?.kind === 'link' ? { key: target.key, isInBox: true, isActivated: true } : undefined,
  ...fields,
});
const frame = (target?: Subject, fields: object = {}): Fed => ({
  type: 'frame',
  target,
  isStill: true,
  isCurrent: true,
  ...fields,
});
const key = (name: string, fields: object = {}): Fed => ({
  type: 'keyDown',
  key: name,
  isRepeat: false,
  hasModifier: false,
  isComposing: false,
  isOurs: false,
  hasOurFocus: false,
  link: undefined,
  isTrusted: true,
  ...fields,
});
const focusIn = (wasTab: boolean): Fed => ({
  type: 'focusIn',
  link: link.key,
  wasTab,
  isFocusVisible: true,
  isOurs: false,
});
const focusInOurs = (wasTab: boolean): Fed => ({
  type: 'focusIn',
  link: undefined,
  wasTab,
  isFocusVisible: false,
  isOurs: true,
});
const enterOnOurs = key('Enter', { isOurs: true, hasOurFocus: true });
const focused: Fed = { type: 'linkFocused', target: link, isFocused: true };
const entered: Fed = { type: 'linkEntered', target: link };
const check: Fed = { type: 'check', isCurrent: true, selection: '' };
const verified: Fed = { type: 'verified', cover: 'clear', isSeen: true };
const tap = { pointerType: 'touch' };
const brought = { isStill: false };

function run(rows: readonly Row[]): { state: State<Subject>; effects: Effect<Subject>[] } {
  let state = initialState<Subject>();
  let at = 0;
  const effects: Effect<Subject>[] = [];
  for (const [afterMs, input] of rows) {
    at += afterMs;
    const step = gestureStep(state, { at, ...input } as Input<Subject>);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}
/** What the last row caused. */
const lastOf = (...rows: Row[]) => run(rows).effects.slice(run(rows.slice(0, -1)).effects.length);
const typesOf = (...rows: Row[]) => lastOf(...rows).map(({ type }) => type);
const settled: Row[] = [
  [0, move(mark)],
  [400, down(mark)],
];
const dialled: Row[] = [...settled, [20, click(mark)], [0, check], [0, verified]];
const tabbed: Row[] = [
  [0, key('Tab')],
  [5, focusIn(true)],
  [0, focused],
];

test.each<[string, Row[], string[]]>([
  [
    'a click on what the tip has shown is checked at once',
    [...settled, [20, click(mark)]],
    ['consume', 'check'],
  ],
  ['a number that was readable is verified', [...settled, [20, click(mark)], [0, check]], ['verify']],
  [
    'a verified number is dialled',
    [...settled, [20, click(mark)], [0, check], [0, verified]],
    ['dial', 'hide', 'refresh'],
  ],
  [
    'a click on a number that the tip does not show belongs to the page',
    [
      [0, down(mark)],
      [20, click(mark)],
    ],
    [],
  ],
  [
    'a link that the tip does not show yet is shown',
    [
      [0, down(link)],
      [20, click(link)],
    ],
    ['consume', 'show', 'position'],
  ],
  ['a drag belongs to the page', [...settled, [20, click(mark, { x: 30 })]], []],
  [
    'a selection made by the press belongs to the page',
    [...settled, [20, click(mark, { selection: 'words' })]],
    [],
  ],
  ['a double click counts once', [...settled, [20, click(mark, { clicks: 2 })]], []],
  [
    'another button belongs to the page',
    [
      [0, move(mark)],
      [400, down(mark, { isPlain: false })],
      [20, click(mark, { isPlain: false })],
    ],
    [],
  ],
  [
    'a second finger belongs to the page',
    [
      [0, move(mark)],
      [400, down(mark, { isPrimary: false })],
      [20, click(mark)],
    ],
    [],
  ],
  ['an event of a script changes nothing', [...settled, [20, click(mark, { isTrusted: false })]], []],
  [
    'a press that the browser took for scrolling is over',
    [...settled, [5, { type: 'cancel' }], [5, click(mark)]],
    [],
  ],
  [
    'a control keeps its clicks',
    [
      [0, move(control)],
      [400, down(control)],
      [20, click(control)],
    ],
    [],
  ],
  [
    'the button beside a control is checked',
    [
      [0, move(control)],
      [400, { type: 'button', target: control, isBrought: false }],
    ],
    ['check'],
  ],
  [
    'a button that the page brought under the resting pointer is shown again',
    [
      [0, move(control)],
      [400, { type: 'button', target: control, isBrought: true }],
    ],
    ['show', 'position'],
  ],
  [
    'a first tap shows the number',
    [
      [0, down(mark, tap)],
      [20, click(mark, tap)],
    ],
    ['consume', 'show', 'position'],
  ],
  [
    'a second tap is checked',
    [
      [0, down(mark, tap)],
      [20, click(mark, tap)],
      [400, down(mark, tap)],
      [20, click(mark, tap)],
    ],
    ['consume', 'check'],
  ],
  [
    'a long tap belongs to the page',
    [
      [0, down(mark, tap)],
      [20, click(mark, tap)],
      [400, down(mark, tap)],
      [600, click(mark, tap)],
    ],
    [],
  ],
  [
    'a covered number is shown again',
    [...settled, [20, click(mark)], [0, check], [0, { ...verified, cover: 'covered' } as Fed]],
    ['retarget', 'hint'],
  ],
  [
    'an invisible number is shown again',
    [...settled, [20, click(mark)], [0, check], [0, { ...verified, isSeen: false } as Fed]],
    ['retarget', 'hint'],
  ],
  [
    'a number is asked about elsewhere where covers cannot be seen',
    [...settled, [20, click(mark)], [0, check], [0, { ...verified, cover: 'unknown' } as Fed]],
    ['askElsewhere', 'hide', 'refresh'],
  ],
  ['a check 20 s late refuses', [...settled, [20, click(mark)], [20_000, check]], ['retarget', 'hint']],
  [
    'a report on covers 20 s late refuses',
    [...settled, [20, click(mark)], [0, check], [20_000, verified]],
    ['retarget', 'hint'],
  ],
  [
    'Escape ends a pending press',
    [...settled, [0, { type: 'moved' }], [0, click(mark)], [5, key('Escape')]],
    ['consume', 'refresh'],
  ],
  ['Escape closes the card otherwise', [[0, key('Escape')]], ['closeCard']],
  [
    'the tip of a dialled number stays away while the pointer is on the number',
    [...dialled, [0, { type: 'frame', target: mark, isStill: true, isCurrent: false }], [50, move(mark)]],
    [],
  ],
  [
    'the tip of a dialled number comes back with the pointer',
    [...dialled, [50, move()], [50, move(mark)]],
    ['show', 'position'],
  ],
  [
    'a click on a number that was just dialled shows it again',
    [...dialled, [900, down(mark)], [20, click(mark)]],
    ['show', 'position'],
  ],
  [
    'a double click is answered with a hint',
    [...settled, [20, click(mark)], [0, { ...check, selection: '(48) 3322-4455' } as Fed]],
    ['retarget', 'hint'],
  ],
  [
    'Enter on a link asks for its number',
    [...tabbed, [400, key('Enter', { link: link.key })]],
    ['preventDefault', 'resolveLink'],
  ],
  ['Enter on a link that Tab has focused, once readable, is checked', [...tabbed, [400, entered]], ['check']],
  ['Enter before it was readable shows it again', [...tabbed, [100, entered]], ['show', 'position']],
  [
    'Enter twice 120 ms apart on a link that took the focus shows it',
    [
      [0, focusIn(false)],
      [0, focused],
      [50, entered],
      [120, entered],
    ],
    ['show', 'position'],
  ],
  [
    'Enter on a readable link that took the focus is asked about elsewhere',
    [
      [0, focusIn(false)],
      [0, focused],
      [50, entered],
      [400, entered],
    ],
    ['askElsewhere'],
  ],
  [
    'Enter right after a typed key shows the link',
    [...tabbed, [400, key('x')], [100, entered]],
    ['show', 'position'],
  ],
  [
    'Enter of an input method belongs to the page',
    [...tabbed, [400, key('Enter', { link: link.key, isComposing: true })]],
    [],
  ],
  [
    'a held Enter does nothing',
    [...tabbed, [400, key('Enter', { link: link.key, isRepeat: true })]],
    ['preventDefault'],
  ],
  [
    'a link that is activated without pointer or key is resolved',
    [[0, click(link)]],
    ['consume', 'resolveLink'],
  ],
  [
    'an activated link is asked about elsewhere',
    [[0, { type: 'linkActivated', target: link }]],
    ['askElsewhere'],
  ],
  [
    'a button inside a link keeps the activation by Enter in its field',
    [
      [0, key('Enter')],
      [0, click(link, { link: { key: link.key, isInBox: true, isActivated: false } })],
    ],
    [],
  ],
  [
    'the number that the command focused gets our link',
    [[0, { type: 'step', target: mark }]],
    ['show', 'position', 'focusOurs'],
  ],
  [
    'Enter on our link is checked once readable',
    [
      [0, { type: 'step', target: mark }],
      [400, key('Enter', { isOurs: true, hasOurFocus: true })],
    ],
    ['consume', 'check'],
  ],
  [
    'Enter counts after the skip link, if Tab led to the skip link',
    [
      [0, key('Tab')],
      [5, focusInOurs(true)],
      [100, { type: 'step', target: mark }],
      [400, enterOnOurs],
    ],
    ['consume', 'check'],
  ],
  [
    'Enter asks after the skip link, if the page led to the skip link',
    [
      [0, focusInOurs(false)],
      [100, { type: 'step', target: mark }],
      [400, { type: 'step', target: control }],
      [400, enterOnOurs],
    ],
    ['consume', 'askElsewhere'],
  ],
  [
    'Enter counts on a number that a command has reached, if the page led to the skip link before',
    [
      [0, focusInOurs(false)],
      [100, focusIn(false)],
      [100, { type: 'step', target: mark }],
      [400, enterOnOurs],
    ],
    ['consume', 'check'],
  ],
  ['a held key answers no question', [[0, key('Enter', { isOurs: true, isRepeat: true })]], ['consume']],
  [
    'the command dials the focused number',
    [
      [0, { type: 'step', target: mark }],
      [400, { type: 'command', focus: null }],
    ],
    ['check'],
  ],
  [
    'a mouse press is checked on a link that a finger pressed long, once the page has rendered it again',
    [
      [0, move(link)],
      [0, focusIn(false)],
      [0, focused],
      [0, down(link, { ...tap, isStill: false })],
      [700, click(link, { ...tap, isStill: false })],
      [0, down(link)],
      [50, click(linkAgain)],
      [0, down(linkAgain)],
      [0, click(linkAgain)],
    ],
    ['consume', 'check'],
  ],
  [
    'a mouse press shows a number that the page has put under a finger',
    [
      [0, down(mark, tap)],
      [20, click(link, tap)],
      [620, down(link, brought)],
      [20, click(link, brought)],
    ],
    ['consume', 'show', 'position'],
  ],
  [
    'a mouse press shows a number that the page brings under it, also where the page focuses it meanwhile',
    [
      [0, move()],
      [100, frame(link, brought)],
      [620, down(link, brought)],
      [10, focusIn(false)],
      [0, focused],
      [10, click(link, brought)],
    ],
    ['consume', 'show', 'position'],
  ],
  [
    'Enter on our link leaves a number that a finger has tapped',
    [
      [0, { type: 'step', target: control }],
      [0, { type: 'command', focus: null }],
      [0, down(mark, tap)],
      [20, click(mark, tap)],
      [320, check],
      [300, key('Enter', { isOurs: true, hasOurFocus: true })],
    ],
    ['consume'],
  ],
  [
    'Enter shows a link whose focus came after Tab and Escape',
    [
      [0, key('Tab')],
      [0, key('Escape')],
      [5, focusIn(true)],
      [0, focused],
      [400, entered],
    ],
    ['show', 'position'],
  ],
  [
    'the command leaves a number under the mouse',
    [
      [0, move(mark)],
      [400, { type: 'command', focus: null }],
    ],
    [],
  ],
])('%s', (_, rows, effects) => {
  expect(typesOf(...rows)).toEqual(effects);
});

test('a tip is read for 300 ms once it is visible: at once by key or tap, later by pointer', () => {
  const settings: Row = [0, { type: 'settings', tipDelayMs: 700 }];
  for (const [shown, delayMs] of [
    [[[0, move(mark)]], 700],
    [[[0, { type: 'step', target: mark }]], 0],
    [
      [
        [0, down(mark, tap)],
        [0, click(mark, tap)],
      ],
      0,
    ],
  ] as [Row[], number][]) {
    const start: Row[] = [settings, ...shown, [0, { type: 'raised' }], [0, { type: 'moved' }]];
    expect(run(start).state.tip!.readableSince).toBe(delayMs);
    // One that moves starts over, without its delay: it stays visible.
    const after = run([...start, [delayMs + 200, { type: 'moved' }]]).state;
    expect(after.tip!.readableSince).toBe(delayMs + 200);
  }
});

test.each<[string, Row]>([
  ['moves', [0, { type: 'moved' }]],
  ['is raised again', [0, { type: 'raised' }]],
  ['is uncovered', [0, { type: 'covered', isCovered: false }]],
])('a press waits for the 300 ms that start over where the tip %s', (_, row) => {
  const covered: Row = [0, { type: 'covered', isCovered: true }];
  const uncovered: Row = [0, { type: 'covered', isCovered: false }];
  const rows: Row[] = [...settled, ...(row[1].type === 'covered' ? [covered] : []), row];
  const pending: Row[] = [...rows, [0, click(mark, { x: 0 })]];
  const at = row[1].type === 'covered' ? [...settled, [0, click(mark)] as Row, covered, uncovered] : pending;
  expect(lastOf(...at, [100, check])).toMatchObject([{ type: 'check', afterMs: 200 }]);
});

test('a number brought under the resting pointer is dialled only after the pointer left it', () => {
  const press: Row[] = [
    [620, down(mark, brought)],
    [20, click(mark, brought)],
  ];
  const rows: Row[] = [[0, move()], [100, frame(mark, brought)], ...press];
  expect(typesOf(...rows)).toEqual(['consume', 'show', 'position']);
  expect(typesOf(...rows, ...press)).toEqual(['consume', 'show', 'position']);
  expect(typesOf(...rows, [10, move()], [10, move(mark)], ...press)).toEqual(['consume', 'check']);
  // A number that was there, and is marked late, is not brought.
  expect(typesOf([0, move()], [100, frame(mark)], ...press)).toEqual(['consume', 'check']);
});

test('a press is forgotten where the clock is set back', () => {
  expect(typesOf(...settled, [-1_000, frame(mark)], [20, click(mark)])).toEqual([]);
});

test('a pending press keeps its tip wherever the pointer goes', () => {
  const rows: Row[] = [...settled, [0, { type: 'moved' }], [20, click(mark)]];
  expect(typesOf(...rows, [5, move()])).toEqual([]);
  expect(typesOf(...rows, [5, frame(link)])).toEqual(['position']);
});
