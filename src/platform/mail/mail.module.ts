import { Module } from '@nestjs/common';
import { OutgoingModule } from '../outgoing/outgoing.module.js';
import { MailerService } from './mailer.service.js';

@Module({ imports: [OutgoingModule], providers: [MailerService], exports: [MailerService] })
export class MailModule {}
