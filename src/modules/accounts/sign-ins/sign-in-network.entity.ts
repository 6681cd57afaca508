import { EntitySchema } from 'typeorm';
import { dateTime, key, text, wholeNumber } from '../../../database/columns.js';
import type { NoticeState, SignInNetwork } from './sign-in-network.model.js';

export interface SignInNetworkRow extends SignInNetwork {
  readonly user_id: number;
  readonly last_sign_in: string;
  readonly notice: NoticeState;
}

/** Each row is a network from which a user signed in within the last 90 days, with its notice. */
export const SignInNetworkEntity = new EntitySchema<SignInNetworkRow>({
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
