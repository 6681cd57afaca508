import { Module, type DynamicModule } from '@nestjs/common';
import { Settings } from './settings.js';

/** Hands the settings to whoever asks for them; nobody else reads the environment. */
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
