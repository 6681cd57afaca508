import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { OperatorContact } from '../../../config/settings/operator-contact.js';

/** Value of the setting OPERATOR_CONTACT; null if it is not set. */
export const Contact = createContext<OperatorContact | null>(null);

/**
 * Names the operator of the service, with a link if the operator has set one.
 * @param isFirst true at the beginning of a sentence
 */
export function Operator({ isFirst = false }: { readonly isFirst?: boolean }) {
  const contact = useContext(Contact);
  if (contact !== null) return <a href={contact.href}>{contact.name}</a>;
  return <>{isFirst ? 'The' : 'the'} operator of this service</>;
}
