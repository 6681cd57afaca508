import { Module } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { AuditModule } from '../audit/audit.module.js';
import { RecurringPaymentsController } from './http/v2.0/recurring-payments.controller.js';
import { PaymentProcessor, RecordingPaymentProcessor } from './payment-processor.js';
import { RecurringCancelService } from './recurring-cancel.service.js';
import { RecurringRepository } from './recurring.repository.js';
import { RecurringService } from './recurring.service.js';
import { WebhookPaymentProcessor } from './webhook-payment-processor.js';

@Module({
  imports: [AuditModule],
  controllers: [RecurringPaymentsController],
  providers: [
    RecurringService,
    RecurringCancelService,
    RecurringRepository,
    {
      provide: PaymentProcessor,
      inject: [Settings],
      useFactory: ({ paymentProcessor }: Settings) =>
        paymentProcessor === null
          ? new RecordingPaymentProcessor()
          : new WebhookPaymentProcessor(paymentProcessor),
    },
  ],
  exports: [RecurringService],
})
export class RecurringModule {}
