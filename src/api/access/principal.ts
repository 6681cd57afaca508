import type { ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { AddressList } from '../../platform/values/address-list.js';
import type { LimitWindows } from '../../platform/limits/limit-windows.js';

declare global {
  // Passport's types let an application declare its user type under this name.
  // oxlint-disable-next-line typescript/no-namespace
  namespace Express {
    // oxlint-disable-next-line typescript/no-empty-object-type
    interface User extends Principal {}
  }
}

/** The access level of an application decides what its key may do: see `docs/api.md#access`. */
export const ACCESSES = ['full', 'read', 'masked', 'source'] as const;
export type Access = (typeof ACCESSES)[number];

/** Users can choose one of these access levels. Only an operator creates a source. */
export const USER_ACCESSES = ['full', 'read', 'masked'] as const;
export type UserAccess = (typeof USER_ACCESSES)[number];

export function isAccess(text: string): text is Access {
  return ACCESSES.some((access) => access === text);
}

export function isUserAccess(text: string): text is UserAccess {
  return USER_ACCESSES.some((access) => access === text);
}

/** A source that writes for all vendors has this `user_id`. No user has it. */
export const ALL_VENDORS = 0;

/** The caller is the user that a key belongs to, as a vendor and as an affiliate. */
export interface Principal {
  /** Id of the user. A source has its vendor's id or ALL_VENDORS. */
  readonly user_id: number;
  /** Application whose key was sent. */
  readonly application_id: number;
  /**
   * The hash of the key that was sent.
   * @internal
   */
  readonly key_hash: string;
  /** Decides what the key may do. */
  readonly access: Access;
  /** @internal */
  readonly suspended: boolean;
  /**
   * Assistants may change data with the key over MCP.
   * @internal
   */
  readonly mcp_writes: boolean;
  /**
   * The key is rejected from this date-time on, in UTC. Null if it does not expire.
   * @internal
   */
  readonly expires: string | null;
  /**
   * Only these addresses may use the key. Null for any address.
   * @internal
   */
  readonly addresses: AddressList | null;
  /**
   * The application's own limits, or null for the default limits.
   * @internal
   */
  readonly limits: LimitWindows | null;
  /**
   * Time when the key look-up began, in milliseconds of this process's monotonic clock.
   * @internal
   */
  readonly lookedUpAt: number;
}

/** Returns true if both callers have the same rights. */
export function isSamePrincipal(one: Principal, other: Principal): boolean {
  const mayOf = ({ user_id, application_id, access, suspended, mcp_writes, ...of }: Principal) => {
    const addresses = of.addresses?.text ?? null;
    return JSON.stringify([user_id, application_id, access, suspended, mcp_writes, addresses]);
  };
  return mayOf(one) === mayOf(other);
}

/** @returns the only vendor that a source may write for, or null for all vendors */
export function vendorOfSource({ user_id }: Pick<Principal, 'user_id'>): number | null {
  return user_id === ALL_VENDORS ? null : user_id;
}

/** Returns true if the caller sees no personal data. */
export function isMasked({ access }: Pick<Principal, 'access'>): boolean {
  return access === 'masked';
}

/** Returns the caller. Every route behind ApiKeyGuard has one, unless it is an open operation. */
export function principalOf(context: ExecutionContext): Principal {
  const { user } = context.switchToHttp().getRequest<Request>();
  if (user === undefined) throw new Error('a route is not behind ApiKeyGuard');
  return user;
}

/** Injects the caller into a parameter of a controller. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext) =>
  principalOf(context),
);

/** Finds the user a key belongs to. A feature provides it. */
export abstract class Principals {
  /** Returns false for text without the length and the characters of a key. */
  abstract isComplete(key: string): boolean;

  /** Returns false for text that cannot be a key and needs no look-up. */
  abstract isWellFormed(key: string): boolean;

  /**
   * Finds the caller of a key.
   * @returns null if the key is malformed, unknown, revoked or expired
   */
  abstract principalOf(key: string): Promise<Principal | null>;

  /** Looks up the key of a long request again. @returns null if it is revoked or expired */
  abstract again(principal: Principal): Promise<Principal | null>;

  /**
   * Returns false if the key is revoked or expired, or its access level or addresses have changed.
   */
  abstract isUnchanged(principal: Principal): Promise<boolean>;

  /** Ends a response within a second after its key is revoked, expires or changes. */
  abstract watch(response: ServerResponse, principal: Principal): void;
}
