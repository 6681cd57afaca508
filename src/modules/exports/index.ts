export type { ListExportRequest } from './export.model.js';
export { ExportsService } from './exports.service.js';
