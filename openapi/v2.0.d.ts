/** Written by scripts/openapi.mjs, as a client generator would. */
export interface paths {
  '/v2.0': {
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
  '/v2.0/latest-affiliates-transactions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What you sold as an affiliate, oldest first, at most 100
     * @description Of the last 90 days, or after the transaction that `paykey` names.
     */
    get: operations['listLatestAffiliateTransactions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.0/latest-affiliates-transactions/{paykey}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What you sold as an affiliate, oldest first, at most 100
     * @description Of the last 90 days, or after the transaction that `paykey` names.
     */
    get: operations['listLatestAffiliateTransactionsByPaykey'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.0/latest-transactions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your transactions, oldest first, at most 100
     * @description From the first one on, or after the transaction that `paykey` names.
     */
    get: operations['listLatestTransactions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.0/latest-transactions/{paykey}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your transactions, oldest first, at most 100
     * @description From the first one on, or after the transaction that `paykey` names.
     */
    get: operations['listLatestTransactionsByPaykey'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.0/products/{product_id}/affiliates/{affiliate_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The relationship between an affiliate and your product
     * @description `custom_commission` is a fraction: `0.75` means 75 percent.
     */
    get: operations['getRelationship'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.0/recurring_payment/{preKey}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** A recurring payment */
    get: operations['getRecurringPayment'];
    /**
     * Cancels a recurring payment
     * @description To cancel again changes nothing and answers `canceled: true`; one that is completed answers `canceled: false`.
     */
    put: operations['cancelRecurringPayment'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2.0/transactions/summaries/{paykey}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** A transaction in short */
    get: operations['getTransactionSummary'];
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
    CancelBody: {
      /**
       * @description CANCEL.
       * @enum {string}
       */
      status: 'CANCEL';
    };
    money: string;
    moment: string;
    id: number;
    count: number;
    /** @enum {unknown} */
    status: 'PENDING' | 'COMPLETED' | 'REFUNDED' | 'CHARGEBACK';
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
      api_version: '2.0';
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
        api_version: '2.0';
      };
      results: null[];
    };
    affiliation: {
      created: components['schemas']['moment'];
      product_id: components['schemas']['id'];
      affiliate_id: string;
      comments: string;
      /** @enum {unknown} */
      status_id: 1 | 2 | 3;
      custom_commission: string;
      /** @enum {unknown} */
      delayed_commission: '0' | '1';
    };
    recurringPayment: {
      id: components['schemas']['id'];
      /** @enum {unknown} */
      status: 'ACTIVE' | 'CANCELED' | 'COMPLETED';
      current_payments: components['schemas']['count'];
      max_number_of_payments: components['schemas']['count'];
      max_total_of_all_payments: components['schemas']['money'];
      max_amount_per_payment: components['schemas']['money'];
      next_payment: components['schemas']['moment'];
      processor_email: string;
      contact_email: string;
      code: string | null;
      price: components['schemas']['money'];
      payment_period: components['schemas']['count'];
      payment_count: components['schemas']['count'];
      payment_first_payout: components['schemas']['money'];
      has_payment_trial: boolean;
      payment_trial_price: components['schemas']['money'];
      payment_trial_period: components['schemas']['count'];
      payment_trial_payout: components['schemas']['money'];
      payout: string | null;
      current_payments_amount: components['schemas']['money'];
      created: components['schemas']['moment'];
      preKey: string;
      sender_email: string;
      last_date: components['schemas']['moment'];
      next_date: components['schemas']['moment'];
      ip: string;
      referrer: string;
      tid: string | null;
      vtid: string | null;
      product_id: components['schemas']['id'];
    };
    cancelResult: {
      canceled: boolean;
    };
    summary: {
      transaction_id: string;
      date: components['schemas']['moment'];
      product_name: string;
      product_id: components['schemas']['id'];
      status: components['schemas']['status'];
      price: components['schemas']['money'];
      first_name: string;
      last_name: string;
      processor_email: string;
    };
    affiliateTransaction: {
      transaction_id: string;
      date: components['schemas']['moment'];
      product_name: string;
      product_id: components['schemas']['id'];
      status: components['schemas']['status'];
      price: components['schemas']['money'];
      customer_email: string;
      ip: string;
      first_name: string;
      last_name: string;
      affiliate_commission: components['schemas']['money'];
      /** @enum {unknown} */
      affiliate_commission_status: 'UNPAID' | 'PAID' | 'PAYMENT_ERROR' | 'REFUNDED';
      affiliate_id: components['schemas']['id'];
      affiliate_name: string;
    };
    latestTransaction: {
      transaction_id: string;
      date: components['schemas']['moment'];
      product_name: string;
      product_id: components['schemas']['id'];
      status: components['schemas']['status'];
      price: components['schemas']['money'];
      customer_email: string;
      ip: string;
      first_name: string;
      last_name: string;
      affiliate_id: components['schemas']['id'];
      affiliate_name: string;
    };
    operation: {
      method: string;
      path: string;
    };
    version: {
      /** @constant */
      version: '2.0';
      /** @constant */
      status: 'supported';
      operations: components['schemas']['operation'][];
    };
    DescribeVersionAnswer: {
      meta: components['schemas']['success'];
      results: components['schemas']['version'][];
    };
    ListLatestAffiliateTransactionsAnswer: {
      meta: components['schemas']['success'];
      results: components['schemas']['affiliateTransaction'][];
    };
    ListLatestTransactionsAnswer: {
      meta: components['schemas']['success'];
      results: components['schemas']['latestTransaction'][];
    };
    GetRelationshipAnswer: {
      meta: components['schemas']['success'];
      results: components['schemas']['affiliation'][];
    };
    GetRecurringPaymentAnswer: {
      meta: components['schemas']['success'];
      results: components['schemas']['recurringPayment'][];
    };
    CancelRecurringPaymentAnswer: {
      meta: components['schemas']['success'];
      results: components['schemas']['cancelResult'][];
    };
    GetTransactionSummaryAnswer: {
      meta: components['schemas']['success'];
      results: components['schemas']['summary'][];
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
    /** @description The newer equivalent of the operation, `rel="successor-version"`. */
    Link: string;
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
           *         "api_version": "2.0"
           *       },
           *       "results": [
           *         {
           *           "version": "2.0",
           *           "status": "supported",
           *           "operations": [
           *             {
           *               "method": "GET",
           *               "path": "/v2.0/transactions/summaries/{paykey}"
           *             },
           *             {
           *               "method": "GET",
           *               "path": "/v2.0/products/{product_id}/affiliates/{affiliate_id}"
           *             },
           *             {
           *               "method": "GET",
           *               "path": "/v2.0/recurring_payment/{preKey}"
           *             },
           *             {
           *               "method": "PUT",
           *               "path": "/v2.0/recurring_payment/{preKey}"
           *             },
           *             {
           *               "method": "GET",
           *               "path": "/v2.0/latest-transactions/{paykey}"
           *             },
           *             {
           *               "method": "GET",
           *               "path": "/v2.0/latest-affiliates-transactions/{paykey}"
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
  listLatestAffiliateTransactions: {
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
           *         "results_count": 0,
           *         "api_version": "2.0"
           *       },
           *       "results": []
           *     }
           */
          'application/json': components['schemas']['ListLatestAffiliateTransactionsAnswer'];
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
  listLatestAffiliateTransactionsByPaykey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Kept as the name of the request where it is of this form; otherwise one is made. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /**
         * @description The key of the transaction, compared byte for byte.
         * @example PA-9TKH1XL1CYEWVJ9SLXFS
         */
        paykey: string;
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
           *         "results_count": 2,
           *         "api_version": "2.0"
           *       },
           *       "results": [
           *         {
           *           "transaction_id": "PA-18I7I1EK0VEPXJ2HIVHW",
           *           "date": "2025-06-25T04:46:17+00:00",
           *           "product_name": "Recovery Cookbook",
           *           "product_id": 203,
           *           "status": "COMPLETED",
           *           "price": "19.95",
           *           "customer_email": "xis4jiurx8@customers.example",
           *           "ip": "192.0.2.85",
           *           "first_name": "Carla",
           *           "last_name": "Costa",
           *           "affiliate_commission": "8.98",
           *           "affiliate_commission_status": "UNPAID",
           *           "affiliate_id": 2004,
           *           "affiliate_name": "Lena’s Picks"
           *         },
           *         {
           *           "transaction_id": "PA-GGAPE7AG6B613BUZXFDY",
           *           "date": "2025-06-29T03:29:32+00:00",
           *           "product_name": "Watercolour in 30 Days",
           *           "product_id": 101,
           *           "status": "COMPLETED",
           *           "price": "47.00",
           *           "customer_email": "3vx9menfwj@customers.example",
           *           "ip": "192.0.2.188",
           *           "first_name": "Liam",
           *           "last_name": "Lee",
           *           "affiliate_commission": "21.49",
           *           "affiliate_commission_status": "UNPAID",
           *           "affiliate_id": 2004,
           *           "affiliate_name": "Lena’s Picks"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ListLatestAffiliateTransactionsAnswer'];
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
  listLatestTransactions: {
    parameters: {
      query?: never;
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
          Link: components['headers']['Link'];
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
           *         "results_count": 0,
           *         "api_version": "2.0"
           *       },
           *       "results": []
           *     }
           */
          'application/json': components['schemas']['ListLatestTransactionsAnswer'];
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
  listLatestTransactionsByPaykey: {
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
         * @example PA-P71GIFUY9LXZGM69V3AQ
         */
        paykey: string;
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
          Link: components['headers']['Link'];
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
           *         "api_version": "2.0"
           *       },
           *       "results": [
           *         {
           *           "transaction_id": "PA-41XG1C4I3994U8ETLR87",
           *           "date": "2025-06-29T20:57:56+00:00",
           *           "product_name": "Studio Membership",
           *           "product_id": 103,
           *           "status": "COMPLETED",
           *           "price": "27.00",
           *           "customer_email": "q9t8q3ya0g@customers.example",
           *           "ip": "192.0.2.28",
           *           "first_name": "Yuki",
           *           "last_name": "Wagner",
           *           "affiliate_id": 2014,
           *           "affiliate_name": "Zoë’s Picks"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ListLatestTransactionsAnswer'];
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
  getRelationship: {
    parameters: {
      query?: never;
      header?: {
        /** @description Kept as the name of the request where it is of this form; otherwise one is made. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /**
         * @description One whole number in plain digits from 0 to 9007199254740991.
         * @example 101
         */
        product_id: number;
        /**
         * @description One whole number in plain digits from 0 to 9007199254740991.
         * @example 2004
         */
        affiliate_id: number;
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
          Link: components['headers']['Link'];
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
           *         "api_version": "2.0"
           *       },
           *       "results": [
           *         {
           *           "created": "2024-12-25T00:00:00+00:00",
           *           "product_id": 101,
           *           "affiliate_id": "2004",
           *           "comments": "",
           *           "status_id": 2,
           *           "custom_commission": "0.60",
           *           "delayed_commission": "0"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['GetRelationshipAnswer'];
        };
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
       * @description 4012 Authenticated user has no access (specific): the product is another vendor's
       *
       *     4030 Authenticated user has no access (general): the account of the key is suspended
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
  getRecurringPayment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Kept as the name of the request where it is of this form; otherwise one is made. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /**
         * @description The key of the recurring payment, compared byte for byte.
         * @example PRE-CU5W9QEGPDUYEDQW
         */
        preKey: string;
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
           *         "api_version": "2.0"
           *       },
           *       "results": [
           *         {
           *           "id": 672,
           *           "status": "ACTIVE",
           *           "current_payments": 2,
           *           "max_number_of_payments": 24,
           *           "max_total_of_all_payments": "648.00",
           *           "max_amount_per_payment": "27.00",
           *           "next_payment": "2025-07-29T20:57:56+00:00",
           *           "processor_email": "q9t8q3ya0g@customers.example",
           *           "contact_email": "q9t8q3ya0g@customers.example",
           *           "code": null,
           *           "price": "27.00",
           *           "payment_period": 30,
           *           "payment_count": 24,
           *           "payment_first_payout": "13.50",
           *           "has_payment_trial": false,
           *           "payment_trial_price": "0.00",
           *           "payment_trial_period": 0,
           *           "payment_trial_payout": "0.00",
           *           "payout": null,
           *           "current_payments_amount": "54.00",
           *           "created": "2025-05-30T20:57:56+00:00",
           *           "preKey": "PRE-CU5W9QEGPDUYEDQW",
           *           "sender_email": "q9t8q3ya0g@customers.example",
           *           "last_date": "2025-06-29T20:57:56+00:00",
           *           "next_date": "2025-07-29T20:57:56+00:00",
           *           "ip": "192.0.2.28",
           *           "referrer": "https://www.example/google",
           *           "tid": null,
           *           "vtid": null,
           *           "product_id": 103
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['GetRecurringPaymentAnswer'];
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
  cancelRecurringPayment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Kept as the name of the request where it is of this form; otherwise one is made. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /**
         * @description The key of the recurring payment, compared byte for byte.
         * @example PRE-CU5W9QEGPDUYEDQW
         */
        preKey: string;
      };
      cookie?: never;
    };
    /** @description At most 16 KiB. Fields that are not known are ignored. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "status": "CANCEL"
         *     }
         */
        'application/json': components['schemas']['CancelBody'];
        'application/x-www-form-urlencoded': components['schemas']['CancelBody'];
      };
    };
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
           *         "api_version": "2.0"
           *       },
           *       "results": [
           *         {
           *           "canceled": true
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['CancelRecurringPaymentAnswer'];
        };
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
      /** @description 4000 Bad request: the payment processor did not take it, and nothing changed */
      402: {
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
  getTransactionSummary: {
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
        paykey: string;
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
          Link: components['headers']['Link'];
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
           *         "api_version": "2.0"
           *       },
           *       "results": [
           *         {
           *           "transaction_id": "PA-41XG1C4I3994U8ETLR87",
           *           "date": "2025-06-29T20:57:56+00:00",
           *           "product_name": "Studio Membership",
           *           "product_id": 103,
           *           "status": "COMPLETED",
           *           "price": "27.00",
           *           "first_name": "Yuki",
           *           "last_name": "Wagner",
           *           "processor_email": "hello@brushworkacademy.example"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['GetTransactionSummaryAnswer'];
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
