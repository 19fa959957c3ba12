import { describe, expectTypeOf, it } from 'vitest';
import type { Call as OurCall } from '../shared/call/call.ts';
import type { DialmarkWidget as OurWidget } from './element.tsx';
import type { Call, DialmarkWidget, WidgetProblem } from './widget.d.ts';
import type { DialFault, Fault } from './widget-error.ts';

describe('widget.d.ts', () => {
  it('declares the types of the widget', () => {
    // A newer relay may have more reasons and codes than the types of today; those of today must fit.
    expectTypeOf<OurCall>().toExtend<Call>();
    expectTypeOf<Exclude<keyof Call, keyof OurCall>>().toBeNever();
    expectTypeOf<Exclude<keyof OurCall, keyof Call>>().toBeNever();
    expectTypeOf<WidgetProblem['code']>().toEqualTypeOf<Fault | DialFault>();
    expectTypeOf<Exclude<keyof DialmarkWidget, keyof OurWidget>>().toBeNever();
    expectTypeOf<Exclude<keyof OurWidget, keyof DialmarkWidget>>().toEqualTypeOf<
      'connectedCallback' | 'disconnectedCallback' | 'attributeChangedCallback'
    >();
    expectTypeOf<OurWidget['getTicket']>().toEqualTypeOf<DialmarkWidget['getTicket']>();
  });
});
