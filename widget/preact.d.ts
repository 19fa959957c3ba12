/** Types of `dialmark-widget/preact`: the widget, and its tag in the JSX of Preact. */
import type { HTMLAttributes } from 'preact';
import type { DialmarkWidget, DialmarkWidgetAttributes, DialmarkWidgetListeners } from './widget.js';

export type * from './widget.js';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'dialmark-widget': Omit<HTMLAttributes<DialmarkWidget>, keyof DialmarkWidgetAttributes> &
        DialmarkWidgetAttributes &
        DialmarkWidgetListeners;
    }
  }
}
