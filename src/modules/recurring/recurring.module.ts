import { Module } from '@nestjs/common';
import { RecurringRepository } from './recurring.repository.js';
import { RecurringService } from './recurring.service.js';

@Module({ providers: [RecurringService, RecurringRepository], exports: [RecurringService] })
export class RecurringModule {}
