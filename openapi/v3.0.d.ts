/** Written by scripts/openapi.mjs, as a client generator would. */
export interface paths {
  '/v3.0': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The version and its operations
     * @description A cheap way to check a key.
     */
    get: operations['describeVersion'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3.0/transactions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The transactions of a range of days, newest sale first
     * @description What was sold or refunded on one of the days: whole days in UTC, the first and the last included. `meta.total_count` counts the whole list, and a page past its end is empty. Parameters that are not known are ignored.
     */
    get: operations['listTransactions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v3.0/transactions/{transaction_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One transaction */
    get: operations['getTransaction'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description Decimal text with two decimals. */
    money: string;
    /** @description Decimal text with two decimals: negative, or zero. */
    takenBack: string;
    /** @description A date-time in UTC with its offset. */
    moment: string;
    id: number;
    count: number;
    success: {
      status: {
        /** @constant */
        http_status_code: 200;
        /** @constant */
        code: 2000;
        /** @constant */
        message: 'Success';
        detail: null;
      };
      results_count: components['schemas']['count'];
      /** @constant */
      api_version: '3.0';
    };
    page: {
      status: {
        /** @constant */
        http_status_code: 200;
        /** @constant */
        code: 2000;
        /** @constant */
        message: 'Success';
        detail: null;
      };
      results_count: components['schemas']['count'];
      /** @constant */
      api_version: '3.0';
      /** @description How many transactions the whole list has, whichever page this is. */
      total_count: components['schemas']['count'];
      pagination: {
        page_size: number;
        page_index: number;
        has_more: boolean;
      };
    };
    failure: {
      meta: {
        status: {
          http_status_code: number;
          /** @enum {unknown} */
          code: 4000 | 4001 | 4010 | 4011 | 4012 | 4030 | 4031 | 4040 | 4050 | 4290 | 5000;
          message: string;
          detail: string | null;
        };
        /** @constant */
        results_count: 0;
        /** @constant */
        api_version: '3.0';
      };
      results: null[];
    };
    transaction: {
      transaction_id: string;
      sale_date: components['schemas']['moment'];
      product_id: components['schemas']['id'];
      /** @description As it was when it was sold. */
      product_name: string;
      /** @description What the customer paid. */
      amount: components['schemas']['money'];
      /** @enum {unknown} */
      status: 'pending' | 'settled' | 'refunded' | 'chargeback';
      customer: {
        email: string;
        first_name: string;
        last_name: string;
      };
      /** @description Null where the sale had none. */
      affiliate: {
        id: components['schemas']['id'];
        display_name: string | null;
      } | null;
      tracking: {
        /** @description The vendor's own mark, given at the checkout. */
        vtid: string | null;
        /** @description A value that the vendor passed through the checkout. */
        custom: string | null;
        /** @description The affiliate's own mark, from the click. */
        tid: string | null;
        utm_source: string | null;
        utm_medium: string | null;
        utm_campaign: string | null;
        utm_content: string | null;
        utm_term: string | null;
        sub_id1: string | null;
        sub_id2: string | null;
        sub_id3: string | null;
        sub_id4: string | null;
        sub_id5: string | null;
        gclid: string | null;
        fbclid: string | null;
        msclkid: string | null;
        ttclid: string | null;
        li_fat_id: string | null;
        twclid: string | null;
        yclid: string | null;
        /** @description What else the address of the click had, as it was; in no form to rely on. */
        other_params: string | null;
      };
      payouts: {
        /** @description What is left for the vendor after fee and commissions. */
        seller_earnings: components['schemas']['money'];
        /** @description The affiliate's commission. */
        affiliate_payout: components['schemas']['money'];
        /** @description The sales agent's commission. */
        agent_payout: components['schemas']['money'];
        /** @description The commission of joint-venture partners. */
        jv_payout: components['schemas']['money'];
        /** @description The fee of the service. */
        service_fee: components['schemas']['money'];
      };
      /** @description Null where nothing was refunded. */
      refund: {
        refund_date: components['schemas']['moment'];
        /** @description What the customer got back. */
        refund_amount: components['schemas']['money'];
        /** @description What was taken back from the vendor. */
        seller_refund_impact: components['schemas']['takenBack'];
        /** @description What was taken back from the affiliate. */
        affiliate_refund_impact: components['schemas']['takenBack'];
        /** @description What was taken back from the agent. */
        agent_refund_impact: components['schemas']['takenBack'];
        /** @description What was taken back from joint-venture partners. */
        jv_refund_impact: components['schemas']['takenBack'];
        /** @description What of the fee was given back. */
        service_fee_adjustment: components['schemas']['takenBack'];
      } | null;
    };
    operation: {
      method: string;
      path: string;
    };
    version: {
      /** @constant */
      version: '3.0';
      /** @constant */
      status: 'current';
      operations: components['schemas']['operation'][];
    };
    DescribeVersionAnswer: {
      meta: components['schemas']['success'];
      results: components['schemas']['version'][];
    };
    ListTransactionsAnswer: {
      meta: components['schemas']['page'];
      results: components['schemas']['transaction'][];
    };
    GetTransactionAnswer: {
      meta: components['schemas']['success'];
      results: components['schemas']['transaction'][];
    };
  };
  responses: never;
  parameters: {
    /** @description Kept as the name of the request where it is of this form; otherwise one is made. */
    'X-Request-Id': string;
    /** @description The `ETag` of an earlier answer: as long as nothing changed, 304 without a body. */
    'If-None-Match': string;
  };
  requestBodies: never;
  headers: {
    /** @description The interface version that answered. */
    'X-API-Version': string;
    /** @description Names the request in the log of the service: the one that was sent, or a new one. */
    'X-Request-Id': string;
    /** @description Names the answer for as long as nothing changes: send it back as `If-None-Match`. */
    ETag: string;
    /** @description For each window of the limits, how many requests are left and in how many seconds it begins anew. */
    RateLimit: string;
    /** @description For each window of the limits, its requests and its seconds. */
    'RateLimit-Policy': string;
    /** @description The requests of the tightest window. */
    'X-RateLimit-Limit': number;
    /** @description What is left of the tightest window. */
    'X-RateLimit-Remaining': number;
    /** @description In how many seconds the tightest window begins anew. */
    'X-RateLimit-Reset': number;
    /** @description After how many seconds to ask again. */
    'Retry-After': number;
    /** @description Asks for Basic authentication. */
    'WWW-Authenticate': string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  describeVersion: {
    parameters: {
      query?: never;
      header?: {
        /** @description Kept as the name of the request where it is of this form; otherwise one is made. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description 2000 Success */
      200: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "meta": {
           *         "status": {
           *           "http_status_code": 200,
           *           "code": 2000,
           *           "message": "Success",
           *           "detail": null
           *         },
           *         "results_count": 1,
           *         "api_version": "3.0"
           *       },
           *       "results": [
           *         {
           *           "version": "3.0",
           *           "status": "current",
           *           "operations": [
           *             {
           *               "method": "GET",
           *               "path": "/v3.0/transactions"
           *             },
           *             {
           *               "method": "GET",
           *               "path": "/v3.0/transactions/{transaction_id}"
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['DescribeVersionAnswer'];
        };
      };
      /** @description 4000 Bad request: the request can not be read */
      400: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4010 API key is missing: there is no Basic authentication, or its user name is empty
       *
       *     4011 Invalid API key: the key is unknown, revoked or expired, or the password is not `x`
       */
      401: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4030 Authenticated user has no access (general): the account of the key is suspended
       *
       *     4031 Authenticated user has no access (forbidden): the request came over plain HTTP where HTTPS is required, or from an address that is not on the key's allow list
       */
      403: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 4290 Too many requests: a limit is used up; wait as many seconds as `Retry-After` says */
      429: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 5000 Internal server error: something went wrong in the service; `detail` names the request */
      500: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
    };
  };
  listTransactions: {
    parameters: {
      query: {
        /**
         * @description One calendar date in the form YYYY-MM-DD.
         * @example 2025-06-01
         */
        start_date: string;
        /**
         * @description One calendar date in the form YYYY-MM-DD; on or after start_date.
         * @example 2025-06-30
         */
        end_date: string;
        /**
         * @description One whole number in plain digits from 1 to 200.
         * @example 1
         */
        page_size?: number;
        /** @description One whole number in plain digits from 0 to 2147483647. */
        page_index?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier answer: as long as nothing changed, 304 without a body. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description Kept as the name of the request where it is of this form; otherwise one is made. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description 2000 Success */
      200: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          ETag: components['headers']['ETag'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "meta": {
           *         "status": {
           *           "http_status_code": 200,
           *           "code": 2000,
           *           "message": "Success",
           *           "detail": null
           *         },
           *         "results_count": 1,
           *         "api_version": "3.0",
           *         "total_count": 166,
           *         "pagination": {
           *           "page_size": 1,
           *           "page_index": 0,
           *           "has_more": true
           *         }
           *       },
           *       "results": [
           *         {
           *           "transaction_id": "PA-41XG1C4I3994U8ETLR87",
           *           "sale_date": "2025-06-29T20:57:56+00:00",
           *           "product_id": 103,
           *           "product_name": "Studio Membership",
           *           "amount": "27.00",
           *           "status": "settled",
           *           "customer": {
           *             "email": "q9t8q3ya0g@customers.example",
           *             "first_name": "Yuki",
           *             "last_name": "Wagner"
           *           },
           *           "affiliate": {
           *             "id": 2014,
           *             "display_name": "Zoë’s Picks"
           *           },
           *           "tracking": {
           *             "vtid": null,
           *             "custom": null,
           *             "tid": "retarget-5",
           *             "utm_source": "newsletter",
           *             "utm_medium": "cpc",
           *             "utm_campaign": "review",
           *             "utm_content": null,
           *             "utm_term": null,
           *             "sub_id1": null,
           *             "sub_id2": null,
           *             "sub_id3": null,
           *             "sub_id4": null,
           *             "sub_id5": null,
           *             "gclid": "e8uu15cm56831oq8wxkwr8ju",
           *             "fbclid": null,
           *             "msclkid": null,
           *             "ttclid": null,
           *             "li_fat_id": null,
           *             "twclid": null,
           *             "yclid": null,
           *             "other_params": null
           *           },
           *           "payouts": {
           *             "seller_earnings": "12.23",
           *             "affiliate_payout": "12.24",
           *             "agent_payout": "0.00",
           *             "jv_payout": "0.00",
           *             "service_fee": "2.53"
           *           },
           *           "refund": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ListTransactionsAnswer'];
        };
      };
      /** @description Nothing changed since the answer that `If-None-Match` names. */
      304: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          ETag: components['headers']['ETag'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /**
       * @description 4000 Bad request: the request can not be read
       *
       *     4001 Invalid parameters: a parameter or a field of the body is missing or invalid; `detail` names it
       */
      400: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4010 API key is missing: there is no Basic authentication, or its user name is empty
       *
       *     4011 Invalid API key: the key is unknown, revoked or expired, or the password is not `x`
       */
      401: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4030 Authenticated user has no access (general): the account of the key is suspended
       *
       *     4031 Authenticated user has no access (forbidden): the request came over plain HTTP where HTTPS is required, or from an address that is not on the key's allow list
       */
      403: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 4290 Too many requests: a limit is used up; wait as many seconds as `Retry-After` says */
      429: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 5000 Internal server error: something went wrong in the service; `detail` names the request */
      500: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
    };
  };
  getTransaction: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier answer: as long as nothing changed, 304 without a body. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description Kept as the name of the request where it is of this form; otherwise one is made. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /**
         * @description The key of the transaction, compared byte for byte.
         * @example PA-41XG1C4I3994U8ETLR87
         */
        transaction_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description 2000 Success */
      200: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          ETag: components['headers']['ETag'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "meta": {
           *         "status": {
           *           "http_status_code": 200,
           *           "code": 2000,
           *           "message": "Success",
           *           "detail": null
           *         },
           *         "results_count": 1,
           *         "api_version": "3.0"
           *       },
           *       "results": [
           *         {
           *           "transaction_id": "PA-41XG1C4I3994U8ETLR87",
           *           "sale_date": "2025-06-29T20:57:56+00:00",
           *           "product_id": 103,
           *           "product_name": "Studio Membership",
           *           "amount": "27.00",
           *           "status": "settled",
           *           "customer": {
           *             "email": "q9t8q3ya0g@customers.example",
           *             "first_name": "Yuki",
           *             "last_name": "Wagner"
           *           },
           *           "affiliate": {
           *             "id": 2014,
           *             "display_name": "Zoë’s Picks"
           *           },
           *           "tracking": {
           *             "vtid": null,
           *             "custom": null,
           *             "tid": "retarget-5",
           *             "utm_source": "newsletter",
           *             "utm_medium": "cpc",
           *             "utm_campaign": "review",
           *             "utm_content": null,
           *             "utm_term": null,
           *             "sub_id1": null,
           *             "sub_id2": null,
           *             "sub_id3": null,
           *             "sub_id4": null,
           *             "sub_id5": null,
           *             "gclid": "e8uu15cm56831oq8wxkwr8ju",
           *             "fbclid": null,
           *             "msclkid": null,
           *             "ttclid": null,
           *             "li_fat_id": null,
           *             "twclid": null,
           *             "yclid": null,
           *             "other_params": null
           *           },
           *           "payouts": {
           *             "seller_earnings": "12.23",
           *             "affiliate_payout": "12.24",
           *             "agent_payout": "0.00",
           *             "jv_payout": "0.00",
           *             "service_fee": "2.53"
           *           },
           *           "refund": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['GetTransactionAnswer'];
        };
      };
      /** @description Nothing changed since the answer that `If-None-Match` names. */
      304: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          ETag: components['headers']['ETag'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description 4000 Bad request: the request can not be read */
      400: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4010 API key is missing: there is no Basic authentication, or its user name is empty
       *
       *     4011 Invalid API key: the key is unknown, revoked or expired, or the password is not `x`
       */
      401: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'WWW-Authenticate': components['headers']['WWW-Authenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /**
       * @description 4030 Authenticated user has no access (general): the account of the key is suspended
       *
       *     4031 Authenticated user has no access (forbidden): the request came over plain HTTP where HTTPS is required, or from an address that is not on the key's allow list
       */
      403: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 4040 Not found: there is no such thing that you may see */
      404: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 4290 Too many requests: a limit is used up; wait as many seconds as `Retry-After` says */
      429: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
      /** @description 5000 Internal server error: something went wrong in the service; `detail` names the request */
      500: {
        headers: {
          'X-API-Version': components['headers']['X-API-Version'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'X-RateLimit-Limit': components['headers']['X-RateLimit-Limit'];
          'X-RateLimit-Remaining': components['headers']['X-RateLimit-Remaining'];
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['failure'];
        };
      };
    };
  };
}
