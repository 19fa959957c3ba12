/** Keeps the state of the gesture's machine, and has its effects carried out. */
import type { Target } from './click-target.ts';
import { gestureStep } from './gesture.ts';
import { type Effect, type Input, initialState, type State } from './gesture-state.ts';

/** An input without its time. */
export type Fed =
  Input<Target> extends infer Each ? (Each extends unknown ? Omit<Each, 'at'> : never) : never;
export type EffectOf<Type extends Effect<Target>['type']> = Extract<Effect<Target>, { type: Type }>;
export type Effects = { [Type in Effect<Target>['type']]: (effect: EffectOf<Type>, event?: Event) => void };
export type GestureRunner = ReturnType<typeof runGestures>;

/** @param effects what each effect does, with the event that caused it. */
export function runGestures(effects: Effects, signal: AbortSignal) {
  let state: State<Target> = initialState();
  /** The inputs that are being handled, in order. Effects cause further inputs, which are handled after them. */
  let waiting: (() => void)[] | undefined;

  return {
    get state() {
      return state;
    },
    feed(input: Fed, event?: Event): void {
      if (signal.aborted) return;
      const handle = () => {
        const step = gestureStep(state, { at: performance.now(), ...input } as Input<Target>);
        state = step.state;
        for (const effect of step.effects)
          (effects[effect.type] as (effect: Effect<Target>, event?: Event) => void)(effect, event);
      };
      if (waiting) return void waiting.push(handle);
      waiting = [handle];
      try {
        for (const next of waiting) next();
      } finally {
        waiting = undefined;
      }
    },
  };
}
