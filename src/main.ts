import 'reflect-metadata';
import { createApp } from './configure-app.js';
import { loadSettings } from './config/load-settings.js';
import { DemoService } from './modules/demo/demo.service.js';
import { reportingStartErrors } from './start-errors.js';
import { welcome } from './welcome.js';

await reportingStartErrors(async () => {
  const settings = loadSettings();
  const app = await createApp(settings);
  const demo = settings.databaseIsDefault && settings.environment !== 'production';
  const demoKey = demo ? await app.get(DemoService).prepare() : null;
  await app.listen(settings.port, settings.host);
  process.stdout.write(welcome(await app.getUrl(), demoKey));
});
