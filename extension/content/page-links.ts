/** The page's telephone links, and what each would dial. The background is asked once for each address. */
import type { JudgedNumber } from '../messages/views.ts';
import type { BackgroundConnection } from './background-connection.ts';
import { addressOf, judgeAddress, type LinkTarget, linkTarget, telephoneLinkAround } from './click-target.ts';

export type PageLinks = ReturnType<typeof createPageLinks>;

export function createPageLinks(background: BackgroundConnection) {
  /**
   * The number of each address. null: only the page handles the link. undefined: the background has not replied yet.
   */
  let judged = new Map<string, JudgedNumber | null | undefined>();
  const isExcluded = (link: Element): boolean => judged.get(addressOf(link)) === null;

  return {
    isExcluded,
    /** The `tel:` link at or around an element, unless its address has no number or its number is excluded here. */
    around(element: Element | undefined): Element | undefined {
      const link = telephoneLinkAround(element);
      return link && isExcluded(link) ? undefined : link;
    },
    /** @returns the number of a link. An unknown one is requested, and `onJudged` runs after the reply. */
    targetOf(link: Element, onJudged: () => void): LinkTarget | undefined {
      const href = addressOf(link);
      const number = judged.get(href);
      if (number) return linkTarget(link, number);
      if (judged.has(href)) return undefined;
      // A reply by earlier settings goes into the earlier map.
      const current = judged;
      current.set(href, undefined);
      judgeAddress(href, background).then((reply) => {
        if (reply === undefined) return void current.delete(href);
        current.set(href, reply);
        onJudged();
      });
      return undefined;
    },
    clearCache: () => {
      judged = new Map();
    },
  };
}
