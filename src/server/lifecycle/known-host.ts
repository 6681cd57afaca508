import { codeOf } from '../../common/errors/is-error.js';
import { SettingError } from '../../config/setting-error.js';

/**
 * Waits until a port is listened on.
 * @throws SettingError where nobody knows the address of HOST: a database can be unknown as well
 */
export async function onKnownHost<Result>(listening: Promise<Result>): Promise<Result> {
  try {
    return await listening;
  } catch (error) {
    if (!isUnknownHost(error)) throw error;
    throw new SettingError('HOST', 'this name is not known', '127.0.0.1');
  }
}

/** Nobody has such a name, or nobody could be asked. */
export function isUnknownHost(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOTFOUND' || code === 'EAI_AGAIN';
}
