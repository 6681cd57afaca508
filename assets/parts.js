// Marks the part of a long page that is on the screen in the list of its parts. Without this file,
// the list has only links.
'use strict';

/** Part of the height of the screen above which a heading has to be for its part to be read. */
const LINE = 0.3;

/** Returns the element to which a link leads; null if it is not drawn yet. */
function partOf(link) {
  return document.getElementById(link.dataset.part ?? link.hash.slice(1));
}

/**
 * Marks the last part that begins above the line; before it, the first one. At the end of the page,
 * where no part can come up to the line any more, all of the screen counts.
 */
function markCurrent(links) {
  const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.body.scrollHeight - 1;
  const line = innerHeight * (isAtEnd ? 1 : LINE);
  const begun = links.filter((link) => partOf(link)?.getBoundingClientRect().top <= line);
  const current = begun.at(-1) ?? links[0];
  if (current.getAttribute('aria-current') !== null) return;
  for (const link of links) link.removeAttribute('aria-current');
  current.setAttribute('aria-current', 'location');
}

const links = [...document.querySelectorAll('.parts a')];
let isDue = false;
function markSoon() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    markCurrent(links);
  });
}

if (links.length > 0) {
  addEventListener('scroll', markSoon, { passive: true });
  addEventListener('resize', markSoon, { passive: true });
  markSoon();
}
