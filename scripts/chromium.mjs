// Finds an installed browser for tests and screenshots. It never downloads one.
import { chromium } from 'playwright-core';
import { findProgram } from './find-program.mjs';

/** The first one has no windows, and needs less processor time. */
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
    // The browser shows only our own pages, and the sandbox rarely works in containers.
    chromiumSandbox: false,
    // In containers /dev/shm has only 64 MiB, too little for a page.
    args: ['--disable-dev-shm-usage'],
  });
}
