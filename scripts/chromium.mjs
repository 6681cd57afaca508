// The browser of the tests and the screenshots: one of this machine, never a downloaded one.
import { chromium } from 'playwright-core';
import { findProgram } from './find-program.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** @returns {string | null} the path of a browser, if there is one */
export function findChromium() {
  return findProgram(NAMES);
}

/** @param {string} executablePath @returns {Promise<import('playwright-core').Browser>} */
export function startChromium(executablePath) {
  return chromium.launch({
    executablePath,
    // It shows our own pages only, and a container rarely lets it have its sandbox.
    chromiumSandbox: false,
    // Containers have 64 MiB there, which a page fills.
    args: ['--disable-dev-shm-usage'],
  });
}
