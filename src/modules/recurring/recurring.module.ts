import { Module } from '@nestjs/common';
import { RecurringPaymentsController } from './http/v2.0/recurring-payments.controller.js';
import { RecurringRepository } from './recurring.repository.js';
import { RecurringService } from './recurring.service.js';

@Module({
  controllers: [RecurringPaymentsController],
  providers: [RecurringService, RecurringRepository],
  exports: [RecurringService],
})
export class RecurringModule {}
