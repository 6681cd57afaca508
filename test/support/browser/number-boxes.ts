import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

/** Phones, and the screens that people most often have; the others lie between. */
const WIDTHS = [390, 768, 1024, 1280, 1920];
const HEIGHT = 800;

/**
 * In the browser: each text with a digit in it that is not all inside the screen, inside the block
 * that it stands in and inside everything around it that clips or scrolls, as the page stands after it
 * was loaded. Scrolling down is how pages are read; scrolling sideways hides.
 */
const HIDDEN_NUMBERS = `(() => {
  const TOLERANCE = 1;
  const NOT_SHOWN = 'script, style, noscript, template, option, [hidden]';
  const isBlock = (element) => !getComputedStyle(element).display.startsWith('inline');
  const isInside = (box, { left, right }) =>
    box.left >= left - TOLERANCE && box.right <= right + TOLERANCE;
  const clips = ({ overflowX, overflowY }) => overflowX !== 'visible' || overflowY !== 'visible';
  const cuts = (element, box) => {
    const style = getComputedStyle(element);
    if (!clips(style)) return false;
    const around = element.getBoundingClientRect();
    if (!isInside(box, around)) return true;
    if (!['hidden', 'clip'].includes(style.overflowY)) return false;
    return box.top < around.top - TOLERANCE || box.bottom > around.bottom + TOLERANCE;
  };
  const screen = { left: 0, right: document.documentElement.clientWidth };
  const faultOf = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
    if (boxes.length === 0) return 'not drawn';
    if (!boxes.every((box) => isInside(box, screen))) return 'beside the screen';
    let isInBlock = false;
    for (let around = text.parentElement; around !== null; around = around.parentElement) {
      if (!isInBlock && isBlock(around)) {
        isInBlock = true;
        const block = around.getBoundingClientRect();
        if (!boxes.every((box) => isInside(box, block))) return 'beside its block';
      }
      if (boxes.some((box) => cuts(around, box))) return 'cut off by ' + around.outerHTML.slice(0, 60);
    }
    return null;
  };
  // The heads of columns for screen readers alone: each card shows them as labels.
  const isUnseenHead = (element) => {
    const head = element.closest('thead');
    return head !== null && getComputedStyle(head).clipPath !== 'none';
  };
  for (const details of document.querySelectorAll('details')) details.open = true;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  let seen = 0;
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (!/\\d/.test(text.data) || text.parentElement.closest(NOT_SHOWN) !== null) continue;
    if (isUnseenHead(text.parentElement)) continue;
    seen += 1;
    const fault = faultOf(text);
    if (fault !== null) found.push(text.data.trim() + ': ' + fault);
  }
  for (const field of document.querySelectorAll('input[readonly], input[type=date]')) {
    seen += 1;
    if (field.scrollWidth > field.clientWidth) found.push(field.name + ': cut off in its field');
  }
  return { seen, found };
})()`;

/** Expects that the page shows every number whole at every width, without scrolling sideways. */
export async function expectNumbersShown(page: Page): Promise<void> {
  const before = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const { seen, found } = await page.evaluate<{ seen: number; found: string[] }>(HIDDEN_NUMBERS);
    expect({ width, page: page.url(), found }).toEqual({ width, page: page.url(), found: [] });
    expect(seen).toBeGreaterThan(0);
  }
  if (before !== null) await page.setViewportSize(before);
}
