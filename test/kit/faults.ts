import { Injectable } from '../../src/extension.js';

/** Mistakes of a developer, each of which a check finds. */
export type Fault =
  | 'forgets the vendor in a query'
  | 'forgets the vendor in a list'
  | 'forgets the vendor in an update'
  | 'forgets the vendor in a listener'
  | 'does not check the owner of a sale'
  | 'shows a masked key the text under another name'
  | 'fails at a quotation mark'
  | 'quotes another vendor in an error'
  | 'lets a read key write'
  | 'takes any limit'
  | 'keeps a copy of the text'
  | 'shows a masked key the text in a header'
  | 'shows a masked key the text on a later page'
  | 'shows a masked key the text in a search';

/** The mistakes that the extension makes at the moment. */
@Injectable()
export class Faults {
  current: readonly Fault[] = [];

  has(fault: Fault): boolean {
    return this.current.includes(fault);
  }
}

/** Last text of each vendor, which a developer might keep in memory. */
@Injectable()
export class KeptTexts extends Map<number, string> {}
