import { describe, expect, it } from '@jest/globals';
import { ChangeSources } from '../../../src/ledger/changes/change-sources.js';
import { ChangeSource } from '../../../src/ledger/changes/change-source.model.js';
import { LEDGER_KINDS } from '../../../src/ledger/changes/change.model.js';

class Source extends ChangeSource {
  constructor(readonly kind: string) {
    super();
  }

  contentsOf() {
    return Promise.resolve(new Map());
  }
}

describe('change kinds of extensions', () => {
  it('come in the order of EXTENSIONS, whenever their modules are created', () => {
    const sources = new ChangeSources();
    sources.add([new Source('b_two')], { name: 'b', place: 1 });
    sources.add(
      LEDGER_KINDS.map((kind) => new Source(kind)),
      null,
    );
    sources.add([new Source('a_b'), new Source('a_b_notes')], { name: 'a-b', place: 0 });
    expect(sources.kinds).toEqual([...LEDGER_KINDS, 'a_b', 'a_b_notes', 'b_two']);
  });

  it.each([
    ['notes', 'note', 'is not notes, or notes_ and more'],
    ['notes', 'notesy', 'is not notes, or notes_ and more'],
    ['notes', 'notes_Red', 'is not notes, or notes_ and more'],
    ['notes', `notes_${'x'.repeat(18)}`, 'in at most 23 characters'],
    ['product', 'product', 'is taken'],
    ['kind', 'kind', 'is taken'],
    ['removed', 'removed_product', 'is taken'],
  ])('of the extension %s cannot be %s', (name, kind, problem) => {
    const sources = new ChangeSources();
    const add = () => {
      sources.add([new Source(kind)], { name, place: 0 });
    };
    expect(add).toThrow(`Extension ${name}: the change kind ${kind} `);
    expect(add).toThrow(problem);
    expect(sources.kinds).toEqual(LEDGER_KINDS);
  });

  it('are not those of another extension', () => {
    const sources = new ChangeSources();
    sources.add([new Source('a_b')], { name: 'a-b', place: 0 });
    expect(() => {
      sources.add([new Source('a_b')], { name: 'a', place: 1 });
    }).toThrow('Extension a: the change kind a_b is taken.');
  });
});
