// Adds webhook endpoints. Usage: node bench/add-endpoints.mjs URL FIRST_VENDOR VENDORS
// ENDPOINTS_OF_EACH
import {
  AppModule,
  loadFeatures,
  NestFactory,
  readSettings,
  WebhookChangesService,
} from '../dist/internals.js';

const [url, ...numbers] = process.argv.slice(2);
const [first, vendors, endpoints] = numbers.map(Number);
const services = await NestFactory.createApplicationContext(
  AppModule.of(readSettings(process.env), await loadFeatures()),
  { logger: ['error'] },
);
const changes = services.get(WebhookChangesService);
for (let vendor = first; vendor < first + vendors; vendor += 1) {
  for (let made = 0; made < endpoints; made += 1) {
    const by = { user_id: vendor, application_id: 0 };
    await changes.create(vendor, { url: `${url}/${vendor}-${made}`, from: 'now' }, by);
  }
}
await services.close();
