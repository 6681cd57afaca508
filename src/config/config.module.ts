import { Module, type DynamicModule } from '@nestjs/common';
import { Settings } from './settings.js';

/** Provides the settings. No other code reads the environment. */
@Module({})
export class ConfigModule {
  static of(settings: Settings): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: Settings, useValue: settings }],
      exports: [Settings],
    };
  }
}
