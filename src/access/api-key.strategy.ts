import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import { BasicStrategy } from 'passport-http';
import type { Principal } from '../modules/accounts/account.model.js';
import { PrincipalsService } from '../modules/accounts/principals.service.js';

/** Looks up the owner of an API key, for passport. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(BasicStrategy) {
  constructor(private readonly principals: PrincipalsService) {
    super();
  }

  /** The base class adds the strategy to this instance: without it, to the one that a process shares. */
  getPassportInstance(): passport.Authenticator {
    return new passport.Passport();
  }

  /** The password has already been checked by basic-credentials.ts. */
  async validate(key: string): Promise<Principal | false> {
    return (await this.principals.principalOf(key)) ?? false;
  }
}
