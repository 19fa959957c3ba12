/** Types of `dialmark-widget/react`: the widget, and its tag in the JSX of React 19. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { DialmarkWidget, DialmarkWidgetAttributes, DialmarkWidgetListeners } from './widget.js';

export type * from './widget.js';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'dialmark-widget': DetailedHTMLProps<HTMLAttributes<DialmarkWidget>, DialmarkWidget> &
        DialmarkWidgetAttributes &
        DialmarkWidgetListeners;
    }
  }
}
