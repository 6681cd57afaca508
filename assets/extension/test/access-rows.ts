import { READING, transactionOf, WRITING, type Row } from 'vendor-reporting-api-testing';

/** A request for each operation. The checks send it for each kind of caller. */
const rows: readonly Row[] = [
  {
    operation: 'GET /extensions/sample-name/v1/sales/{transaction_id}',
    path: (whose) => `/extensions/sample-name/v1/sales/${transactionOf(whose)}`,
    names: 'transaction',
    allows: READING,
    personal: true,
  },
  {
    operation: 'PUT /extensions/sample-name/v1/sales/{transaction_id}',
    path: (whose) => `/extensions/sample-name/v1/sales/${transactionOf(whose)}`,
    names: 'transaction',
    allows: WRITING,
    body: { text: 'Called, wants a refund.' },
    texts: ['text'],
    personal: true,
  },
];

export default rows;
