// The browser for tests and screenshots: an installed one, never a downloaded one.
import { chromium } from 'playwright-core';
import { findProgram } from './find-program.mjs';

/** The one without windows comes first: it needs less processor time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/** @returns {string | null} the path of a browser, if there is one */
export function findChromium() {
  return findProgram(NAMES);
}

/** @param {string} executablePath @returns {Promise<import('playwright-core').Browser>} */
export function startChromium(executablePath) {
  return chromium.launch({
    executablePath,
    // It shows only our own pages, and in containers the sandbox rarely works.
    chromiumSandbox: false,
    // Containers have only 64 MiB there, too little for a page.
    args: ['--disable-dev-shm-usage'],
  });
}
