import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { COMMANDS } from '../../src/start/commands.js';
import { FEATURES } from '../../src/features.js';
import { SETTING_NAMES } from '../../src/start/load-settings.js';

const repeated = (values: readonly (number | string)[]) =>
  values.filter((value, at) => values.indexOf(value) !== at);

describe('The list of features', () => {
  it('has features with a folder of their name', () => {
    const names = FEATURES.map(({ name }) => name);
    expect(repeated(names)).toEqual([]);
    const folders = ['src/modules', 'src/ledger'].flatMap((folder) => readdirSync(folder));
    expect(folders).toEqual(expect.arrayContaining(names));
  });

  it('declares each setting, command, page and place once', () => {
    const pages = FEATURES.flatMap((feature) => Object.values(feature.pages ?? {}));
    const places = pages.flatMap(({ navigation }) => navigation?.order ?? []);
    const commands = FEATURES.flatMap((feature) => Object.keys(feature.commands ?? {}));
    const orders = [...COMMANDS.values()].map(({ order }) => order);
    for (const values of [SETTING_NAMES, pages.map(({ path }) => path), places, commands, orders]) {
      expect(values.length).toBeGreaterThan(0);
      expect(repeated(values)).toEqual([]);
    }
  });
});
