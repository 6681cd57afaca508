import { dateTime, key, text, wholeNumber } from '../../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../../platform/database/entities/entity-of.js';
import type { NoticeState } from './sign-in-network.model.js';

/** Each row is a network from which a user signed in within the last 90 days, with its notice. */
export const SignInNetworkEntity = entityOf({
  name: 'SignInNetwork',
  tableName: 'sign_in_networks',
  columns: {
    user_id: key(wholeNumber()),
    network: key(text(64)),
    last_sign_in: dateTime(),
    notice: text(16),
    noticed: dateTime(),
    address: text(64),
    device: text(),
  },
  indices: [{ name: 'sign_in_networks_by_last_sign_in', columns: ['last_sign_in'] }],
});
export interface SignInNetworkRow extends EntityRow<typeof SignInNetworkEntity> {
  readonly notice: NoticeState;
}
