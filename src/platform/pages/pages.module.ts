import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { AnswerMemoryModule } from '../limits/memory/answer-memory.js';
import { LimitsModule } from '../limits/limits.module.js';
import { AccountPages, PageRouter, type InstalledPage } from './page-router.js';

/** Serves the account pages of all features. */
@Module({})
export class PagesModule {
  /** @param features modules whose exported services the pages use */
  static of(all: readonly InstalledPage[], features: readonly Type[]): DynamicModule {
    return {
      module: PagesModule,
      imports: [AnswerMemoryModule, LimitsModule, ...features],
      providers: [
        { provide: AccountPages, useValue: { all } },
        PageRouter,
        ...all.map(({ type }) => type),
      ],
    };
  }
}
