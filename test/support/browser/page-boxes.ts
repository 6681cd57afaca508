import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

/** Widths of phones, tablets and common screens, in CSS pixels. */
const WIDTHS = [390, 768, 1024, 1280, 1920];
const HEIGHT = 900;
const SCHEMES = ['light', 'dark'] as const;

/**
 * Finds everything that a person cannot see on the page without scrolling sideways: an element
 * wider than the screen or its box; a text that is not completely inside the screen, its block, its
 * card or the element that clips it; and a short word that is broken. Scrolling down is expected,
 * and so is a wide table that scrolls inside its own frame, which the keyboard can reach.
 * The script runs in the browser.
 */
const HIDDEN = `(() => {
  const TOLERANCE = 1;
  const SHORT_WORD = 16;
  const NOT_SHOWN = 'script, style, noscript, template, option, .skip, [hidden], canvas';
  const BOXES = '.card, .figure, .notice, td, th, tr, li, dd';
  const found = [];
  const tell = (what, fault) => found.push(what.trim().slice(0, 80) + ': ' + fault);
  const nameOf = (element) => element.outerHTML.slice(0, 60);
  const around = (element) =>
    element === null ? [] : [element, ...around(element.parentElement)];
  const isBlock = (element) => !getComputedStyle(element).display.startsWith('inline');
  const isHidden = (element) => !element.checkVisibility({ visibilityProperty: true });
  const isInside = (box, { left, right }) =>
    box.left >= left - TOLERANCE && box.right <= right + TOLERANCE;
  const known = new Map();
  /** True if it, or what is around it, is moved out of sight for all but screen readers. */
  const isForReaders = (element) => {
    if (element === null) return false;
    if (!known.has(element)) {
      const isClipped = getComputedStyle(element).clipPath !== 'none';
      known.set(element, isClipped || isForReaders(element.parentElement));
    }
    return known.get(element);
  };
  const clips = ({ overflowX, overflowY }) => overflowX !== 'visible' || overflowY !== 'visible';
  const scrolls = (element) =>
    element.matches('.frame[tabindex="0"]') &&
    ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
  const cuts = (element, box) => {
    const style = getComputedStyle(element);
    if (!clips(style)) return false;
    const edge = element.getBoundingClientRect();
    if (!isInside(box, edge)) return true;
    if (!['hidden', 'clip'].includes(style.overflowY)) return false;
    return box.top < edge.top - TOLERANCE || box.bottom > edge.bottom + TOLERANCE;
  };
  const screen = { left: 0, right: document.documentElement.clientWidth };
  const boxesOf = (text, from, to) => {
    const range = document.createRange();
    range.setStart(text, from);
    range.setEnd(text, to);
    return [...range.getClientRects()].filter(({ width }) => width > 0);
  };
  const faultOf = (text) => {
    const boxes = boxesOf(text, 0, text.data.length);
    if (boxes.length === 0) return 'not drawn';
    const isScrolled = around(text.parentElement).some(scrolls);
    if (!isScrolled && !boxes.every((box) => isInside(box, screen))) return 'beside the screen';
    let isInBlock = false;
    for (const element of around(text.parentElement)) {
      if (scrolls(element)) break;
      const isFirstBlock = !isInBlock && isBlock(element);
      if (isFirstBlock) isInBlock = true;
      if (isFirstBlock || element.matches(BOXES)) {
        const box = element.getBoundingClientRect();
        if (!boxes.every((each) => isInside(each, box))) return 'beside ' + nameOf(element);
      }
      if (boxes.some((each) => cuts(element, each))) return 'cut off by ' + nameOf(element);
    }
    return null;
  };
  const brokenWordOf = (text) => {
    for (const word of text.data.matchAll(/[^\\s\\u2010-\\u2015?\\/-]+/g)) {
      if (word[0].length > SHORT_WORD) continue;
      const boxes = boxesOf(text, word.index, word.index + word[0].length);
      if (new Set(boxes.map(({ top }) => Math.round(top))).size > 1) return word[0];
    }
    return null;
  };
  for (const details of document.querySelectorAll('details')) {
    details.removeAttribute('name');
    details.open = true;
  }
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > screen.right) tell('the page', scrollWidth + ' px wide');
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest(NOT_SHOWN) !== null || isHidden(element)) continue;
    if (isForReaders(element)) continue;
    const { scrollWidth, clientWidth } = element;
    const isField = element.matches('input:not([readonly], [type=date])');
    // An open menu lies over the page.
    const hasMenu = element.matches('.menu, :has(> .menu)');
    if (!isField && !hasMenu && !scrolls(element) && clientWidth > 0 && scrollWidth > clientWidth + TOLERANCE) {
      tell(nameOf(element), scrollWidth + ' px in a box of ' + clientWidth);
    }
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let seen = 0;
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const { parentElement: parent } = text;
    if (text.data.trim() === '' || parent.closest(NOT_SHOWN) !== null) continue;
    if (isHidden(parent)) continue;
    if (isForReaders(parent)) continue;
    seen += 1;
    const fault = faultOf(text);
    if (fault !== null) tell(text.data, fault);
    const broken = brokenWordOf(text);
    if (broken !== null) tell(text.data, 'broken within ' + broken);
  }
  return { seen, found };
})()`;

/**
 * Expects that the page shows everything completely at every width, light and dark, without
 * scrolling sideways.
 */
export async function expectNothingHidden(page: Page): Promise<void> {
  // The page is checked only once its styles are loaded.
  await page.waitForLoadState();
  const before = page.viewportSize();
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      const { seen, found } = await page.evaluate<{ seen: number; found: string[] }>(HIDDEN);
      const at = { width, colorScheme, page: page.url() };
      expect({ ...at, found }).toEqual({ ...at, found: [] });
      expect(seen).toBeGreaterThan(0);
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
}
