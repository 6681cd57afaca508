import { Module } from '@nestjs/common';
import { AffiliatesRepository } from './affiliates.repository.js';
import { AffiliatesService } from './affiliates.service.js';

@Module({ providers: [AffiliatesService, AffiliatesRepository], exports: [AffiliatesService] })
export class AffiliatesModule {}
