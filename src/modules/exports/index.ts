export type { ListExportRequest } from './formats.js';
export { ExportsService } from './exports.service.js';
