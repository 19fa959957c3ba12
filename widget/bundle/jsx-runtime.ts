/** What the compiled views call, by preact's own `createElement` instead of a second copy of it: 0.1 KB gzipped less. */
import { createElement, Fragment, type VNode } from 'preact';

type Props = Parameters<typeof createElement>[1];

const jsx = (type: string, props: Props, key?: string): VNode => createElement(type, { ...props, key });

export { Fragment, jsx, jsx as jsxs };
