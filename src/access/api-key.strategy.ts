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

  /**
   * Returns an instance of its own. The base class adds the strategy to it; the default is an
   * instance that the whole process shares.
   */
  getPassportInstance(): passport.Authenticator {
    return new passport.Passport();
  }

  /**
   * Returns the owner of the key. The password has already been checked by basic-credentials.ts.
   */
  async validate(key: string): Promise<Principal | false> {
    return (await this.principals.principalOf(key)) ?? false;
  }
}
