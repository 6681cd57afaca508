import { Injectable } from '@nestjs/common';
import { relationshipKey } from '../../ledger/changes/change.model.js';
import {
  ChangeSource,
  type ContentCriteria,
  type SizeCriteria,
} from '../../ledger/changes/change-source.model.js';
import { AffiliatesService } from './affiliates.service.js';
import { presentAffiliation } from './http/relationships.v2.1.controller.js';

/** Approximate size of the JSON of a relationship without its longest texts, in bytes. */
const OTHER_BYTES = 2_048;

/** Provides relationships to the feed of changes, in the form of API 2.1. */
@Injectable()
export class RelationshipChangeSource extends ChangeSource {
  readonly kind = 'relationship';

  constructor(private readonly affiliates: AffiliatesService) {
    super();
  }

  override async contentsOf({ reader, vendor_id, record_keys }: ContentCriteria) {
    const found = await this.affiliates.termsByKeys(reader, vendor_id, keysOf(record_keys));
    return new Map(
      found.map((affiliation) => [
        relationshipKey(affiliation.affiliate_id, affiliation.product_id),
        JSON.stringify(presentAffiliation(affiliation)),
      ]),
    );
  }

  override async sizesOf({ reader, record_keys }: SizeCriteria) {
    const longest = await this.affiliates.reads.longestTextsOf(reader, keysOf(record_keys));
    return new Map(
      longest.map(({ affiliate_id, product_id, bytes }) => [
        relationshipKey(affiliate_id, product_id),
        bytes + OTHER_BYTES,
      ]),
    );
  }
}

function keysOf(record_keys: readonly string[]) {
  return record_keys.map((record_key) => {
    const [affiliate_id = 0, product_id = 0] = record_key.split('/').map(Number);
    return { affiliate_id, product_id };
  });
}
