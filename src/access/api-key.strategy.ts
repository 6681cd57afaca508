import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { BasicStrategy } from 'passport-http';
import type { Principal } from '../modules/accounts/account.model.js';
import { PrincipalsService } from '../modules/accounts/principals.service.js';

/** Finds whom an API key belongs to, for passport. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(BasicStrategy) {
  constructor(private readonly principals: PrincipalsService) {
    super();
  }

  /** The password is checked before: see basic-credentials.ts. */
  async validate(key: string): Promise<Principal | false> {
    return (await this.principals.principalOf(key)) ?? false;
  }
}
