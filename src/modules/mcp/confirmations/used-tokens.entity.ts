import { dateTime, key, text, wholeNumber } from '../../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../../platform/database/entities/entity-of.js';

/** Each row is a used confirmation token, until it expires. */
export const UsedTokenEntity = entityOf({
  name: 'UsedToken',
  tableName: 'mcp_used_tokens',
  columns: {
    token_id: key(text(32)),
    /** Id of the user whose key used the token. */
    user_id: wholeNumber(),
    expires: dateTime(),
  },
  indices: [
    { name: 'mcp_used_tokens_by_user', columns: ['user_id', 'expires'] },
    { name: 'mcp_used_tokens_by_expires', columns: ['expires'] },
  ],
});
export type UsedTokenRow = EntityRow<typeof UsedTokenEntity>;
