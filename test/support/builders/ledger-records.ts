export * from '../../../testing/src/ledger/records.js';
