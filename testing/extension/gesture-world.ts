/** A hand and a clock at an imitated page. It does what the gesture's state machine asks, while the page interferes. */
import type { gestureStep } from '../../extension/content/gesture.ts';
import {
  type Cover,
  type Effect,
  type Input,
  initialState,
  type State,
  type Subject,
} from '../../extension/content/gesture-state.ts';
import type { Action, Acts } from './gesture-acts.ts';
import { createPage } from './gesture-page.ts';
import { createWatch } from './gesture-watch.ts';

export type Transition = typeof gestureStep;
type Fed = Input<Subject> extends infer Each ? (Each extends unknown ? Omit<Each, 'at'> : never) : never;
type EffectOf<Type extends Effect<Subject>['type']> = Extract<Effect<Subject>, { type: Type }>;

export class GestureWorld {
  private readonly step: Transition;
  private readonly page = createPage();
  private readonly watch = createWatch();
  private state: State<Subject> = initialState();
  /** The clock that the machine reads. */
  private now = 1_000;
  private handSlot = 0;
  /** What the content script knows of the pointer: where it came to rest, and what was there then. */
  private pointer: { slot: number; content: string; text: string | undefined } | undefined;
  private selection = '';
  private isCovered = false;
  private layer: Cover = 'clear';
  private focus: object | undefined;
  private hasOurFocus = false;
  /** The page has put the focus on our skip link, and it is still on something of ours. */
  private isLed = false;
  /** The element whose focus the agent moved there. */
  private focusByAgent: object | undefined;
  private isTabDown = false;
  private timers: { at: number; target: Subject }[] = [];
  private readonly queue: Fed[] = [];
  private isFeeding = false;

  constructor(step: Transition) {
    this.step = step;
  }

  get dialled(): readonly string[] {
    return this.watch.dialled;
  }

  act(action: Action): void {
    (this.acts[action.do] as (act: Action) => void)(action);
  }

  private feed(input: Fed): void {
    this.queue.push(input);
    if (this.isFeeding) return;
    this.isFeeding = true;
    for (let next = this.queue.shift(); next; next = this.queue.shift()) {
      const { state, effects } = this.step(this.state, { at: this.now, ...next } as Input<Subject>);
      this.state = state;
      for (const effect of effects) (this.effects[effect.type] as (effect: Effect<Subject>) => void)(effect);
      this.watch.endStep();
    }
    this.isFeeding = false;
  }

  private readonly effects: { [Type in Effect<Subject>['type']]: (effect: EffectOf<Type>) => void } = {
    show: ({ target, as }) => {
      this.watch.show(target, as);
      this.layer = 'clear';
      this.feed({ type: 'raised' });
    },
    position: ({ target }) => this.position(target),
    hide: ({ isReleased }) => {
      this.watch.hide(isReleased);
      if (isReleased) this.hasOurFocus = false;
    },
    check: ({ afterMs, target }) => {
      if (afterMs <= 0) this.check(target);
      else this.timers.push({ at: this.now + afterMs, target });
    },
    verify: ({ target }) =>
      this.feed({ type: 'verified', cover: this.cover(), isSeen: this.page.isSeen(target) }),
    retarget: () => this.frame(),
    refresh: () => this.frame(),
    hint: ({ hint }) => this.feed({ type: 'hint', hint }),
    focusOurs: () => {
      this.hasOurFocus = true;
    },
    resolveLink: ({ link, as: type }) => {
      const target = this.page.byKey(link);
      if (!target) return;
      const isFocused = this.focus === target.key;
      this.feed(type === 'linkFocused' ? { type, target, isFocused } : { type, target });
    },
    dial: ({ target }) => this.watch.dial(target, this.page.isSeen(target), this.cover() !== 'clear'),
    consume: () => {},
    preventDefault: () => {},
    closeCard: () => {},
    askElsewhere: () => {},
  };

  private readonly acts: { [Do in keyof Acts]: (act: Acts[Do]) => void } = {
    wait: ({ ms }) => {
      this.pass(ms);
      // The machine must get an input here: otherwise it cannot notice that the clock was set back.
      if (ms < 0) this.frame();
    },
    move: ({ slot }) => {
      const isByHand = this.pointer?.slot !== slot;
      this.handSlot = slot;
      if (isByHand) this.pointAt(slot);
      const facts = { x: slot * 100, y: 0, pointerType: 'mouse', isByHand, hasOurFocus: this.hasOurFocus };
      this.feed({ type: 'move', ...facts, target: this.page.at(slot) });
    },
    press: (act) => this.press(act),
    interfere: (act) => {
      this.interfere(act);
      if (act.isSeen) this.frame();
    },
    pressAround: ({ pointer, ...act }) =>
      this.press({ pointer, isTrusted: true, isPrimary: true, drag: 0, clicks: 1, holdMs: 50 }, () =>
        this.interfere(act),
      ),
    cover: ({ isCovered }) => {
      if (this.isCovered && !isCovered) this.watch.restart();
      this.isCovered = isCovered;
      this.feed({ type: 'covered', isCovered });
    },
    layer: ({ isReported }) => {
      this.layer = isReported ? 'covered' : 'unknown';
    },
    key: (act) => this.pressKey(act),
    focus: ({ which, wasTab }) => this.setFocus(which, wasTab),
    focusSkipLink: ({ wasTab }) => {
      this.acts.blur({});
      this.isLed = !(wasTab && this.isTabDown);
      this.isTabDown = false;
      this.feed({ type: 'focusIn', link: undefined, wasTab, isFocusVisible: false, isOurs: true });
    },
    blur: () => {
      if (this.hasOurFocus) this.feed({ type: 'ourBlur' });
      else if (this.focus) this.feed({ type: 'focusOut', key: this.focus });
      this.focus = undefined;
      this.hasOurFocus = false;
      this.isLed = false;
    },
    select: ({ text }) => {
      this.selection = text;
    },
    step: ({ which }) => {
      const target = this.page.number(which);
      if (target && target.kind !== 'link') this.feed({ type: 'step', target });
    },
    command: () => {
      this.watch.press('command');
      this.feed({ type: 'command', focus: this.focus ?? null });
    },
    button: ({ isBrought }) => {
      if (this.watch.tip?.as !== 'button' || !this.state.tip) return;
      if (!isBrought) this.watch.press('button');
      this.feed({ type: 'button', target: this.state.tip.target, isBrought });
    },
    activate: ({ which }) => {
      const target = this.page.number(which);
      if (target?.kind === 'link') this.feed({ type: 'linkActivated', target });
    },
    frame: () => this.frame(),
  };

  private frame(): void {
    const { tip, pending } = this.state;
    const isFollowing = !pending && (!tip || tip.mode === 'pointer');
    const target = isFollowing ? this.page.at(this.pointer?.slot) : undefined;
    const isCurrent = !!tip && this.page.slotOf(tip.target) !== undefined;
    this.feed({ type: 'frame', target, isStill: this.isStill(), isCurrent });
  }

  private position(target: Subject): void {
    if (this.watch.position(this.page.slotOf(target))) this.feed({ type: 'moved' });
  }

  private check(target: Subject): void {
    const isCurrent = this.page.slotOf(target) !== undefined;
    if (isCurrent) this.position(target);
    this.feed({ type: 'check', isCurrent, selection: this.selection });
  }

  private pointAt(slot: number): void {
    this.pointer = { slot, content: this.page.contentAt(slot), text: this.page.textAt(slot) };
  }

  private isStill(): boolean {
    return this.pointer !== undefined && this.pointer.content === this.page.contentAt(this.pointer.slot);
  }

  private cover(): Cover {
    return this.isCovered ? 'covered' : this.layer;
  }

  private pass(ms: number): void {
    this.now += ms;
    this.watch.pass(ms);
    const due = this.timers.filter((timer) => timer.at <= this.now);
    this.timers = this.timers.filter((timer) => timer.at > this.now);
    for (const { target } of due) if (this.state.pending?.target === target) this.check(target);
  }

  private setFocus(which: number, wasTab: boolean): void {
    const target = this.page.number(which);
    if (!target) return;
    this.focus = target.key;
    this.hasOurFocus = false;
    this.isLed = false;
    this.focusByAgent = wasTab && this.isTabDown ? target.key : undefined;
    this.isTabDown = false;
    const link = target.kind === 'link' ? target.key : undefined;
    this.feed({ type: 'focusIn', link, wasTab, isFocusVisible: true, isOurs: false });
  }

  private interfere({ change, which, slot }: Omit<Acts['pressAround'], 'pointer'>): void {
    if (change === 'focused') this.setFocus(which, false);
    else this.page.change(which, change, slot);
  }

  private ofPointer(pointerType: string, isTrusted: boolean, slot: number) {
    const facts = { x: slot * 100, y: 0, pointerType, isTrusted, isPlain: true, isOurs: false };
    return { ...facts, isStill: this.isStill(), selection: this.selection };
  }

  private press(action: Acts['press'], meanwhile?: () => void): void {
    const { pointer: type, isTrusted, isPrimary, drag, clicks, holdMs } = action;
    const { page, watch, handSlot: slot, selection: selectedBefore } = this;
    const isMouse = type === 'mouse';
    if (!isMouse) this.pointer = undefined;
    const pressed = page.at(slot);
    const wasShown = this.cover() !== 'covered' && !!pressed && watch.tip?.shown === pressed.source.text;
    const isOnTop = this.layer !== 'covered';
    this.feed({
      type: 'down',
      ...this.ofPointer(type, isTrusted, slot),
      isPrimary,
      target: pressed,
      isOnTop,
    });
    this.pass(holdMs);
    meanwhile?.();
    const clicked = page.at(slot);
    const isOne = clicked?.key === pressed?.key && clicked?.source.text === pressed?.source.text;
    if (!isMouse && isOne) this.pointAt(slot);
    // What the agent's hand did, independent of the machine.
    const isDeliberate = isTrusted && isPrimary && drag <= 5 && selectedBefore === this.selection;
    const isPress = isDeliberate && wasShown && isOne && pressed.kind !== 'control';
    const hasCome = !isMouse || this.pointer?.text === pressed?.source.text;
    if (isPress && hasCome && (isMouse ? clicks === 1 : holdMs < 500)) watch.press(type, holdMs);
    const link =
      clicked?.kind === 'link' ? { key: clicked.key, isInBox: true, isActivated: true } : undefined;
    const facts = this.ofPointer(type, isTrusted, slot);
    this.feed({ type: 'click', ...facts, x: facts.x + drag, clicks, target: clicked, link });
  }

  private pressKey({ key, isTrusted, isRepeat, isComposing }: Acts['key']): void {
    const { watch, hasOurFocus, focus } = this;
    if (isTrusted) this.isTabDown = key === 'Tab';
    const focused = this.page.byKey(focus);
    const link = !hasOurFocus && focused?.kind === 'link' ? focused : undefined;
    const isOurLink = hasOurFocus && !this.isLed && watch.tip?.as === 'link';
    const isTabbedLink =
      key === 'Enter' && !!link && this.focusByAgent === focus && watch.tip?.shown === link.source.text;
    const isPress = (key === 'Enter' || key === ' ') && isTrusted && !isRepeat && !isComposing;
    if (isPress && (isOurLink || isTabbedLink) && this.cover() === 'clear' && watch.isReadable())
      watch.press('key');
    const facts = { key, isTrusted, isRepeat, isComposing, hasModifier: false };
    this.feed({ type: 'keyDown', ...facts, isOurs: hasOurFocus, hasOurFocus, link: link?.key });
  }
}
