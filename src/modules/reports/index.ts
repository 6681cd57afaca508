export type { Affiliate } from './affiliates/affiliate-figures.model.js';
export { AffiliateReportsService } from './affiliates/affiliate-reports.service.js';
export {
  type Attribution,
  ATTRIBUTIONS,
  type Comparison,
  COMPARISONS,
  type DayRange,
  DEFAULT_ATTRIBUTION,
  type Figures,
  MAX_PERIODS,
  type Period,
  PERIOD_STEPS,
  type PeriodStep,
  type Report,
  type TopItem,
  type Viewer,
} from './report.model.js';
export type { ReportsService } from './reports.service.js';
export { SaleService } from './sale/sale.service.js';
