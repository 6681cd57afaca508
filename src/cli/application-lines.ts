import {
  vendorOfSource,
  type ApiApplication,
  type IssuedKey,
  type ListedApplication,
  type RotatedKey,
} from '../modules/accounts/account.model.js';
import { print } from './output.js';

/** Prints a new key with its application. */
export function printKey(
  { application, key, old_key_ends }: IssuedKey & Partial<RotatedKey>,
  json: boolean,
): void {
  const { id, user_id, name } = application;
  print({ id, user_id, name, key, old_key_ends }, json, () => [
    lineOf(application),
    `Key: ${key}`,
    ...(typeof old_key_ends === 'string' ? [`The old key works until ${old_key_ends} UTC.`] : []),
  ]);
}

export function listLineOf(application: ListedApplication): string {
  const { last_used, old_key_ends } = application;
  const lastUse = last_used === null ? 'never used' : `last used ${last_used} UTC`;
  const oldKey = old_key_ends === null ? '' : `, old key works until ${old_key_ends} UTC`;
  return `${lineOf(application)}, ${lastUse}${oldKey}`;
}

export function lineOf(application: ApiApplication): string {
  const { id, name, state, access, created, expires, address_allow_list, limits } = application;
  const parts = [
    `Application ${id} "${name}" of ${ownerOf(application)}: ${state}`,
    `${access} access`,
    `created ${created} UTC`,
    ...(expires === null ? [] : [`expires ${expires} UTC`]),
    ...(address_allow_list === null ? [] : [`only from ${address_allow_list}`]),
    ...(limits === null ? [] : [`limits ${limits}`]),
  ];
  return parts.join(', ');
}

function ownerOf(application: ApiApplication): string {
  const isOfAll = application.access === 'source' && vendorOfSource(application) === null;
  return isOfAll ? 'all vendors' : `user ${application.user_id}`;
}
