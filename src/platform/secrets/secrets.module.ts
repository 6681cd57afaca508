import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { EncryptedValuesRepository } from './encrypted-values.repository.js';
import { RotateSecretsService } from './rotate-secrets.service.js';

@Module({
  imports: [DiscoveryModule],
  providers: [EncryptedValuesRepository, RotateSecretsService],
})
export class SecretsModule {}
