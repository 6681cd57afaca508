/** The ledger on which the checks run: three vendors with the same records, and an affiliate. */
import {
  PRODUCT,
  subscriptionOf,
  transactionOf,
  USERS,
  type Who,
  type Whose,
} from './access-row.js';
import {
  affiliation,
  payoutItem,
  product,
  recurringPayment,
  transaction,
  user,
} from './records.js';

type Vendor = Exclude<Who, 'affiliate'>;
const VENDORS: readonly Vendor[] = ['vendor', 'other', 'suspended'];

/**
 * A word in every text of a user, in the ledger and in the extension. No other user stores it, so an
 * answer to another user that contains it shows data of this one.
 */
export const MARKS: Readonly<Record<Whose, string>> = {
  vendor: 'Tarrington',
  other: 'Wobbleford',
  affiliate: 'Fennimarsh',
  suspended: 'Brindlecombe',
  nobody: 'Umberlygate',
};
const OWNERS: readonly Who[] = [...VENDORS, 'affiliate'];

/** A word in every text of a user that is personal data of a customer. */
export function personalMark(who: Whose): string {
  return `Quillonia${MARKS[who]}`;
}

/** E-mail address of the customer of a user. */
export function customerOf(who: Whose): string {
  return `${personalMark(who)}@private.example`.toLowerCase();
}

/** Returns true if a text has a word, in any letter case. */
export function has(text: string, word: string): boolean {
  return text.toLowerCase().includes(word.toLowerCase());
}

/** Returns the users whose marks a text has, except the given one. */
export function othersIn(text: string, who: Whose): Who[] {
  return OWNERS.filter((each) => each !== who && has(text, MARKS[each]));
}

/** Returns the users, who exist before the first request. */
export function users(): object[] {
  return Object.entries(USERS).map(([who, id]) => {
    const vendor = VENDORS.find((each) => each === who);
    const status = who === 'suspended' ? 'suspended' : 'active';
    return user(id, { name: vendor === undefined ? 'An affiliate' : MARKS[vendor], status });
  });
}

/** Returns the records of all vendors. */
export function records(): object[] {
  return VENDORS.flatMap(recordsOf);
}

function recordsOf(who: Vendor): object[] {
  const id = PRODUCT[who];
  const personal = personalMark(who);
  const email = customerOf(who);
  const customer = { email, first_name: personal, last_name: personal, phone: personal };
  const sale = {
    product_name: MARKS[who],
    customer,
    delivery: { name: personal, city: personal },
    tracking: { custom: personal, other_params: personal },
    payout_items: [payoutItem(USERS[who], { payee_name: MARKS[who] })],
  };
  const contacts = { processor_email: email, contact_email: email, sender_email: email };
  return [
    product(id, USERS[who], { name: MARKS[who] }),
    affiliation(USERS.affiliate, id, { comments: MARKS[who] }),
    recurringPayment(subscriptionOf(who), id, { ...contacts, referrer: `https://${MARKS[who]}/` }),
    transaction(transactionOf(who), id, sale),
    // No request names this one, so only a list of another vendor can show it.
    transaction(`kept-by-${MARKS[who]}`, id, sale),
  ];
}
