import { describe, expectTypeOf, it } from 'vitest';
import type { DialmarkWidget as OurWidget } from './element.tsx';
import type { Call, DialmarkWidget, WidgetProblem } from './widget.d.ts';
import type { DialFault, Fault } from './widget-error.ts';

describe('widget.d.ts', () => {
  it('declares the types of the widget', () => {
    expectTypeOf<WidgetProblem['code']>().toEqualTypeOf<Fault | DialFault>();
    expectTypeOf<Exclude<keyof DialmarkWidget, keyof OurWidget>>().toBeNever();
    expectTypeOf<Exclude<keyof OurWidget, keyof DialmarkWidget>>().toEqualTypeOf<
      'connectedCallback' | 'disconnectedCallback' | 'attributeChangedCallback'
    >();
    expectTypeOf<OurWidget['getTicket']>().toEqualTypeOf<DialmarkWidget['getTicket']>();
  });

  it('declares the events of every target that they reach', () => {
    expectTypeOf<HTMLElementEventMap['dialmark:call']>().toEqualTypeOf<CustomEvent<Call>>();
    expectTypeOf<WindowEventMap['dialmark:call']>().toEqualTypeOf<CustomEvent<Call>>();
    expectTypeOf<DocumentEventMap['dialmark:error']>().toEqualTypeOf<CustomEvent<WidgetProblem>>();
    expectTypeOf<DocumentEventMap['dialmark:ready']>().toEqualTypeOf<
      CustomEvent<{ calls: readonly Call[] }>
    >();
  });
});
