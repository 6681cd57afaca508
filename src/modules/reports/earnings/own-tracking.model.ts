import type { Attribution, DayRange } from '../report.model.js';
import type { TrackingReport } from '../tracking/tracking-report.model.js';

/** The sales that an affiliate referred: to all vendors, or to one of them. */
export interface OwnSales {
  readonly affiliate_id: number;
  readonly vendor_id?: number;
}

export interface OwnTrackingRequest extends OwnSales, DayRange {
  readonly attribution: Attribution;
}

/** The sales that an affiliate referred in a range, by their tracking id. */
export interface OwnTracking extends Omit<TrackingReport, 'mostValues'> {
  /**
   * Day of sale as far as which the sales were read, if there are too many; what older sales add is
   * in `other` then. Otherwise null.
   */
  readonly searched_to: string | null;
}
